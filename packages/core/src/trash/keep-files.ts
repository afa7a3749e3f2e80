import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git } from '../git/git.ts';
import { formatFilesTrash } from '../git/refs/trash-refs.ts';

/** A file to keep: where it is, and its path in the commit. */
export interface KeptFile {
  from: string;
  path: string;
}

/** Keeps files, byte by byte, in a commit of the trash. Returns the ref that keeps them. */
export async function keepFiles(
  git: Git,
  what: { kind: 'edit' | 'migrate'; name: string },
  files: readonly KeptFile[],
  message: string,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'saga-trash-'));
  try {
    const input = files.map(({ from }) => `${from}\n`).join('');
    const hashed = await git.run(['hash-object', '-w', '--no-filters', '--stdin-paths'], { input });
    const blobs = hashed.split('\n');
    const index = join(folder, 'index');
    const entries = files.map(({ path }, i) => `100644 ${blobs[i]}\t${path}\0`).join('');
    await git.run(['update-index', '-z', '--add', '--index-info'], { index, input: entries });
    const tree = await git.run(['write-tree'], { index });
    const commit = await git.run([...AUTHOR, 'commit-tree', '--no-gpg-sign', '-m', message, tree]);
    const ref = formatFilesTrash(what.kind, what.name, Date.now());
    await git.run(['update-ref', ref, commit]);
    return ref;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const AUTHOR = ['-c', 'user.name=SAGA', '-c', 'user.email=saga@localhost'];
