import { createHash, randomUUID } from 'node:crypto';
import type { VerifyRun } from '@saga-ai/types/run/evidence';
import { withoutStrayGit } from '../../git/git.ts';
import { startProgram } from '../../processes/run.ts';
import { RUN_VARIABLE } from '../../processes/run-mark.ts';
import { stopProgram } from '../../processes/stop-program.ts';
import { stopReason, type Worker } from '../context.ts';

const KEPT_LINES = 40;
const KEPT_LINE_LENGTH = 400;
/** Node fires a longer timer at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

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
  // One stream, so that errors stand where they happened.
  const args = ['-c', `exec 2>&1\n${command}`];
  const program = startProgram('sh', args, { cwd: folder, env }, (line) => {
    hash.update(`${line}\n`);
    end.push(line.slice(0, KEPT_LINE_LENGTH));
    if (end.length > KEPT_LINES) end.shift();
  });
  const stop = () => void stopProgram(program, runId);
  const timer = setTimeout(
    stop,
    Math.min(Math.max(0, worker.deadline - Date.now()), LONGEST_TIMER),
  );
  worker.stop.addEventListener('abort', stop);
  if (worker.stop.aborted) stop();
  // What the command left running holds its output open, and would be waited for until the time is up.
  const watch = setInterval(() => program.hasEnded() && stop(), 250);
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
    clearTimeout(timer);
    clearInterval(watch);
    worker.stop.removeEventListener('abort', stop);
    await stopProgram(program, runId);
  }
}

/** Why a command was ended that did not end by itself. */
export function describeStop(worker: Worker): string {
  if (Date.now() >= worker.deadline) return 'stopped: the time is up';
  return `stopped: ${stopReason(worker) ?? 'it was killed from outside'}`;
}
