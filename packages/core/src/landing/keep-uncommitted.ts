import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAll } from '../git/commit.ts';
import type { Git } from '../git/git.ts';

/**
 * Keeps files of a checkout as they are now in a commit that only `ref` points to. The checkout, its index and its
 * branch stay as they are.
 */
export async function keepUncommitted(
  git: Git,
  { ref, message, paths }: { ref: string; message: string; paths: readonly string[] },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'saga-index-'));
  const index = join(folder, 'index');
  try {
    await git.run(['read-tree', 'HEAD'], { index });
    const literal = paths.map((path) => `:(top,literal)${path}`);
    await addAll(git, { paths: literal, index });
    const tree = await git.run(['write-tree'], { index });
    const commit = await git.run(['commit-tree', '-p', 'HEAD', '-m', message, tree]);
    await git.run(['update-ref', ref, commit]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
