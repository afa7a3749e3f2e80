import { type Dirent, existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '../../git/git.ts';

/**
 * Reads all refs of a repository. The value of a symbolic ref is `ref: ` and its target. git's files are
 * read directly, because that is several times faster with thousands of refs; a repository with another
 * store for its refs is left to git.
 */
export async function readRefs(git: Git, shared: string): Promise<Map<string, string>> {
  if (existsSync(join(shared, 'reftable'))) return listRefs(git);
  const refs = new Map<string, string>();
  for (const line of readText(join(shared, 'packed-refs')).split('\n')) {
    const at = line.indexOf(' ');
    if (at >= 40 && line[0] !== '#') refs.set(line.slice(at + 1), line.slice(0, at));
  }
  readLoose(shared, 'refs', refs);
  return refs;
}

function readLoose(shared: string, folder: string, refs: Map<string, string>): void {
  for (const entry of readFolder(join(shared, folder))) {
    const ref = `${folder}/${entry.name}`;
    const path = join(shared, ref);
    if (entry.isDirectory()) readLoose(shared, ref, refs);
    else if (entry.isSymbolicLink()) refs.set(ref, `ref: ${readlinkSync(path)}`);
    else if (entry.isFile() && !entry.name.endsWith('.lock')) {
      const value = readText(path).trim();
      if (value !== '') refs.set(ref, value);
    }
  }
}

async function listRefs(git: Git): Promise<Map<string, string>> {
  const printed = await git.run(['for-each-ref', '--format=%(objectname) %(refname) %(symref)']);
  const refs = new Map<string, string>();
  for (const line of printed.split('\n')) {
    const [value = '', ref = '', target = ''] = line.split(' ');
    if (ref !== '') refs.set(ref, target === '' ? value : `ref: ${target}`);
  }
  return refs;
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It was removed while the others were read.
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // There is no such file, or it was removed just now.
    return '';
  }
}
