import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlainGit } from '../git/plain-git.ts';
import type { Environment } from '../processes/run.ts';

/** Compares two texts line by line, as a unified diff without the names of files. Empty if they are the same. */
export async function diffTexts(before: string, after: string, env: Environment): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'saga-diff-'));
  try {
    writeFileSync(join(folder, 'before'), before);
    writeFileSync(join(folder, 'after'), after);
    // The person's settings may name a program of their own, or another form.
    const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--unified=3'];
    const args = ['diff', '--no-index', ...plain, '--', 'before', 'after'];
    const { stdout } = await openPlainGit(folder, env).attempt(args);
    const start = stdout.search(/^@@ /m);
    return start === -1 ? '' : stdout.slice(start);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
