import { createHash } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const OBJECTS = 'lfs/objects';

/**
 * Takes the files of Git LFS over that commits of a run name: git's own objects hold only their hashes.
 * A file whose content does not have that hash is left. Can be repeated.
 */
export async function takeLfsObjects(quarantine: string, shared: string): Promise<void> {
  const from = join(quarantine, OBJECTS);
  if (!existsSync(from)) return;
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const { name } = entry;
    if (!entry.isFile() || !/^[0-9a-f]{64}$/.test(name)) continue;
    const [path, to] = [
      join(entry.parentPath, name),
      join(shared, OBJECTS, name.slice(0, 2), name.slice(2, 4), name),
    ];
    if (!existsSync(to) && (await hashFile(path)) === name) copyWhole(path, to);
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Copies a file under another name and renames it, so that a kill does not leave half a file under the final name. */
function copyWhole(from: string, to: string): void {
  const temp = `${to}.${process.pid}.tmp`;
  mkdirSync(dirname(to), { recursive: true });
  try {
    copyFileSync(from, temp);
    renameSync(temp, to);
  } finally {
    rmSync(temp, { force: true });
  }
}
