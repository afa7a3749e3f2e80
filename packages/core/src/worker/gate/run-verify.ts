import type { VerifyRun } from '@saga-ai/types/run/evidence';
import type { Worktree } from '../../git/worktree.ts';
import type { Worker } from '../context.ts';
import { runShell } from '../run/run-shell.ts';
import { OutputFeed } from './output-feed.ts';

/** Runs the verify command within its own limit, and reports what it prints while it runs. */
export async function runVerify(
  worker: Worker,
  worktree: Worktree,
  command: string,
  /** The clean checkout that the command runs in, if there is one. */
  clean?: string,
): Promise<VerifyRun> {
  const { emit, config, deadline } = worker;
  const limitMs = config.gate.timeout * 60_000;
  const endsBy = new Date(Math.min(Date.now() + limitMs, deadline)).toISOString();
  const { minutes, misses } = config.checkIn;
  emit('gate:verify', { command, endsBy });
  using feed = new OutputFeed({ command, endsBy, emit, patienceMs: minutes * misses * 60_000 });
  const run = await runShell(worker, worktree, command, {
    limitMs,
    onLine: (line) => feed.add(line),
    checkout: clean,
  });
  return { ...run, checkout: clean === undefined ? 'worktree' : 'clean' };
}
