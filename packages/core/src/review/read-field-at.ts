import type { Git } from '../git/git.ts';

/**
 * Reads a field that a worker writes into the file of a story or an epic, as a commit has it. Returns undefined if the
 * commit does not have the file, the file is not JSON, or the field is not there.
 */
export async function readFieldAt(
  git: Git,
  commit: string,
  path: string,
  field: 'branch' | 'pr',
): Promise<string | undefined> {
  const { code, stdout } = await git.attempt(['cat-file', 'blob', `${commit}:${path}`]);
  if (code !== 0) return undefined;
  try {
    const fields = JSON.parse(stdout) as { [name in typeof field]?: unknown } | null;
    const value = fields?.[field];
    return typeof value === 'string' && value !== '' ? value : undefined;
  } catch {
    // The file is not JSON, so it names nothing.
    return undefined;
  }
}
