import { listChanged } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { saveTests } from '../git/refs/test-refs.ts';
import type { Worktree } from '../git/worktree.ts';
import { loadStory, saveTaskFields } from '../plan/stories.ts';
import { noteInJournal } from '../plan/worker-notes.ts';
import type { Worker } from './context.ts';
import { runShell } from './run/run-shell.ts';
import { isTestFile } from './settle/keep-to-tests.ts';

/**
 * Judges what a Test Writer committed for a task since a commit: there must be tests, and they must fail, because the
 * work is not done yet. Refused tests count as an attempt. Returns why they are refused, or undefined.
 */
export async function acceptTests(
  worker: Worker,
  worktree: Worktree,
  taskId: string,
  since: string,
): Promise<string | undefined> {
  const { paths, storyId, emit } = worker;
  const git = openPlainGit(worktree.folder, worktree.git.env);
  const head = await git.run(['rev-parse', 'HEAD']);
  const files = (await listChanged(git, since, head)).filter((path) => isTestFile(worker, path));
  const reason =
    files.length === 0 ? 'no test file was committed' : await findNoFailure(worker, worktree);
  if (reason === undefined) {
    await saveTests(git, storyId, taskId, { since, head });
    emit('tests:accepted', { task: taskId, files });
    return undefined;
  }
  emit('tests:refused', { task: taskId, reason });
  const task = loadStory(paths, storyId).tasks.find((it) => it.id === taskId);
  const attempts = (task?.attempts ?? 0) + 1;
  await saveTaskFields(paths, storyId, taskId, { attempts, lastOutcome: 'failed' });
  await noteInJournal(worker, `refused the tests for ${taskId}: ${reason}`);
  return reason;
}

/** Runs the verify command, if there is one. Does nothing in a rehearsal, whose tests are not real. */
async function findNoFailure(worker: Worker, worktree: Worktree): Promise<string | undefined> {
  const { paths, storyId, config } = worker;
  const command = loadStory(paths, storyId).story.verify ?? config.gate.verify;
  if (command === null || worker.rehearsal) return undefined;
  const { exitCode } = await runShell(worker, worktree, command, {
    limitMs: config.gate.timeout * 60_000,
  });
  return exitCode === 0 ? `they pass before the work is done (${command})` : undefined;
}
