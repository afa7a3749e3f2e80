import { join } from 'node:path';
import { isInPlan } from '@saga-ai/types/plan/plan-paths';
import { listFiles } from '@saga-ai/types/words/amounts';
import { commitPaths } from '../../git/commit.ts';
import { listChanged } from '../../git/git.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import { listUncommitted } from '../../git/uncommitted.ts';
import type { Worktree } from '../../git/worktree.ts';
import { noteInJournal } from '../../plan/worker-notes.ts';
import { putBackCopies } from '../../project/paths.ts';
import { filterByGlobs } from '../../scope/globs.ts';
import type { Worker } from '../context.ts';
import { keepAside, putBack } from './restore-definitions.ts';

/** Whether a run in the role `tests` may write a file. */
export function isTestFile({ config }: Worker, path: string): boolean {
  return filterByGlobs([path], config.gate.testFiles).length > 0;
}

/** Puts back files other than tests that such a run changed through its shell, and keeps a copy of them. */
export async function keepToTests(
  worker: Worker,
  worktree: Worktree,
  since: string,
): Promise<void> {
  const changed = await listTouched(worktree, since);
  const files = changed.filter((path) => !isInPlan(path) && !isTestFile(worker, path));
  if (files.length === 0) return;
  await putBackFiles(worker, worktree, since, files, 'saga: put back files that are not tests');
  worker.emit('tests:restored', { files });
}

/** Puts back files that a run for one task changed and that the task's `writeFiles` do not name. */
export async function keepToTask(
  worker: Worker,
  worktree: Worktree,
  since: string,
  writes: readonly string[],
): Promise<void> {
  const changed = (await listTouched(worktree, since)).filter((path) => !isInPlan(path));
  const named = new Set(filterByGlobs(changed, writes));
  const files = changed.filter((path) => !named.has(path));
  if (files.length === 0) return;
  await putBackFiles(worker, worktree, since, files, 'saga: put back files of other tasks');
  worker.emit('task:restored', { files });
  await noteInJournal(
    worker,
    `a run for one task changed files that its writeFiles do not name; they were put back: ${listFiles(files)}`,
  );
}

/** The files that changed since a commit, committed or not. */
async function listTouched(worktree: Worktree, since: string): Promise<string[]> {
  const git = openPlainGit(worktree.folder, worktree.git.env);
  const [committed, uncommitted] = await Promise.all([
    listChanged(git, since, 'HEAD'),
    listUncommitted(git),
  ]);
  return [...new Set([...committed, ...uncommitted])];
}

/** Puts tests back that were written for a task, and that a run changed or removed since a commit. */
export async function keepTests(
  worker: Worker,
  worktree: Worktree,
  since: string,
  tests: readonly string[],
): Promise<void> {
  const changed = new Set(await listTouched(worktree, since));
  const files = tests.filter((path) => changed.has(path));
  if (files.length === 0) return;
  await putBackFiles(worker, worktree, since, files, 'saga: put back the tests of a task');
  worker.emit('tests:kept', { files });
}

async function putBackFiles(
  { paths, session }: Worker,
  worktree: Worktree,
  since: string,
  files: readonly string[],
  message: string,
): Promise<void> {
  const git = openPlainGit(worktree.folder, worktree.git.env);
  const committed = new Set(await listChanged(git, since, 'HEAD'));
  for (const path of files) {
    keepAside(join(git.folder, path), join(putBackCopies(paths, session, 'tests'), path));
    const wasFile = (await git.attempt(['cat-file', '-t', `${since}:${path}`])).stdout === 'blob\n';
    await putBack(git, since, path, wasFile);
  }
  // SAGA commits only these files. Other uncommitted files of the run stay uncommitted.
  const committedFiles = files.filter((path) => committed.has(path));
  await commitPaths(git, committedFiles, message);
}
