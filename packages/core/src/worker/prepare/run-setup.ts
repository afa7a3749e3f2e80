import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SagaError } from '../../errors.ts';
import type { Worktree } from '../../git/worktree.ts';
import type { Worker } from '../context.ts';
import { explainFailure } from '../run/explain-walls.ts';
import { describeStop, runShell } from '../run/run-shell.ts';
import { tellMove } from '../settle/tell-move.ts';

/** A file in git's folder of the worktree, so a new worktree runs the command again. */
const MARKER = 'saga-setup';

/** Runs the configured command once in a worktree, and again only if it failed or was changed. */
export async function runSetup(worker: Worker, worktree: Worktree): Promise<void> {
  const command = worker.config.worktree.setup;
  if (command === null) return;
  const marker = join(worktree.gitFolder, MARKER);
  if (existsSync(marker) && readFileSync(marker, 'utf8') === command) return;
  worker.emit('setup:start', { command });
  const result = await runShell(worker, worktree, command, {
    keepsCommits: { onMoved: (move) => tellMove(worker, worktree, move) },
  });
  const { exitCode, outputEnd } = result;
  const wall = exitCode === 0 ? undefined : explainFailure(worker, worktree.folder, outputEnd);
  worker.emit('setup:end', { exitCode, outputEnd, wall: wall || undefined });
  if (result.exitCode === 0) {
    writeFileSync(marker, command);
    return;
  }
  const how = result.exitCode === null ? describeStop(worker, result) : `code ${result.exitCode}`;
  throw new SagaError(
    'setup-failed',
    `The setup command failed (${how}): ${command}\n${result.outputEnd}`.trimEnd(),
    [
      ...(wall ? [`${wall}.`] : []),
      `Try it yourself in ${worktree.folder}, or change worktree.setup in .saga/config.json.`,
    ].join(' '),
  );
}
