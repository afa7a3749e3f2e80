import { createHash, randomUUID } from 'node:crypto';
import type { VerifyRun } from '@saga-ai/types/run/evidence';
import { withoutStrayGit } from '../../git/git.ts';
import { armDeadline } from '../../processes/deadline.ts';
import { startProgram } from '../../processes/run.ts';
import { RUN_VARIABLE } from '../../processes/run-mark.ts';
import { stopProgram } from '../../processes/stop-program.ts';
import { stopReason, type Worker } from '../context.ts';

const KEPT_LINES = 40;
const KEPT_LINE_LENGTH = 400;

/** Runs a command of the user's configuration in a worktree, within the worker's time. */
export async function runShell(
  worker: Worker,
  folder: string,
  command: string,
): Promise<VerifyRun> {
  const hash = createHash('sha256');
  const end: string[] = [];
  const startedAt = new Date().toISOString();
  const runId = randomUUID();
  const env = {
    ...worker.agent.withoutOuterSession(withoutStrayGit(worker.env)),
    SAGA_STORY_ID: worker.storyId,
    SAGA_PROJECT_DIR: worker.paths.root,
    [RUN_VARIABLE]: runId,
  };
  // One stream for both, so that errors appear where they happened.
  const args = ['-c', `exec 2>&1\n${command}`];
  const { lifeline } = worker;
  const program = startProgram('sh', args, { cwd: folder, env, lifeline }, (line) => {
    hash.update(`${line}\n`);
    end.push(line.slice(0, KEPT_LINE_LENGTH));
    if (end.length > KEPT_LINES) end.shift();
  });
  using _armed = armDeadline(worker.deadline, worker.stop, () => void stopProgram(program, runId));
  try {
    const { code } = await program.ended;
    return {
      command,
      exitCode: code,
      startedAt,
      endedAt: new Date().toISOString(),
      outputSha256: hash.digest('hex'),
      outputEnd: end.join('\n'),
    };
  } finally {
    // End the processes that the command left running.
    await stopProgram(program, runId);
  }
}

/** Why the worker ended a command. */
export function describeStop(worker: Worker): string {
  if (Date.now() >= worker.deadline) return 'stopped: the time is up';
  return `stopped: ${stopReason(worker) ?? 'it was killed from outside'}`;
}
