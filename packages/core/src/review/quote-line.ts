import type { Git } from '../git/git.ts';

const LARGEST_BYTES = 8_000_000;

/**
 * Reads one line of a file in a commit. Returns undefined if the commit has no such file, if the file is too large, or
 * if it has fewer lines.
 */
export async function quoteLine(
  git: Git,
  commit: string,
  path: string,
  line: number,
): Promise<string | undefined> {
  const name = `${commit}:${path}`;
  const size = await git.attempt(['cat-file', '-s', name]);
  if (size.code !== 0 || Number(size.stdout) > LARGEST_BYTES) return undefined;
  const { code, stdout } = await git.attempt(['cat-file', 'blob', name]);
  if (code !== 0) return undefined;
  const lines = stdout.split('\n');
  // The last line ends with a line break, so the text after it is empty.
  if (lines.at(-1) === '') lines.pop();
  return lines[line - 1];
}
