import { type Git, listChanged } from '../git.ts';

/**
 * The refs that say for which tasks of a story tests were written. What a run changes here is put back
 * (worker/elsewhere).
 */
export const testRefs = (storyId: string) => `refs/saga/tests/${storyId}/`;

/** Notes that the changes between two commits are the tests of a task. May be called again. */
export async function saveTests(
  git: Git,
  storyId: string,
  taskId: string,
  { since, head }: { since: string; head: string },
): Promise<void> {
  const parents = ['-p', since, '-p', head];
  const message = `saga: tests for ${taskId}`;
  const commit = await git.run(['commit-tree', `${head}^{tree}`, ...parents, '-m', message]);
  await git.run(['update-ref', `${testRefs(storyId)}${taskId}`, commit.trim()]);
}

/**
 * Finds the test files of all tasks of a story, by task. `isTest` tells tests from what else was committed with
 * them.
 */
export async function listTests(
  git: Git,
  storyId: string,
  isTest: (path: string) => boolean,
): Promise<Map<string, string[]>> {
  const prefix = testRefs(storyId);
  const format = '--format=%(refname) %(objectname)';
  const printed = await git.run(['for-each-ref', format, prefix]);
  const rows = printed.split('\n').filter((line) => line.startsWith(prefix));
  const found = rows.map(async (row): Promise<[string, string[]]> => {
    const [ref = '', commit = ''] = row.split(' ');
    const changed = await listChanged(git, `${commit}^1`, commit);
    return [ref.slice(prefix.length), changed.filter(isTest)];
  });
  return new Map(await Promise.all(found));
}
