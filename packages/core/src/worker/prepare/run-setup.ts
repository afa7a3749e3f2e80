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
  await setUp(worker, worktree, command);
  writeFileSync(marker, command);
}

/** Runs a setup command in a worktree. Throws if it fails. */
export async function setUp(worker: Worker, worktree: Worktree, command: string): Promise<void> {
  worker.emit('setup:start', { command });
  const result = await runShell(worker, worktree, command, {
    keepsCommits: { onMoved: (move) => tellMove(worker, worktree, move) },
  });
  const { exitCode, outputEnd } = result;
  const wall = exitCode === 0 ? undefined : explainFailure(worker, worktree.folder, outputEnd);
  worker.emit('setup:end', { exitCode, outputEnd, wall });
  if (exitCode === 0) return;
  const how = exitCode === null ? describeStop(worker, result) : `code ${exitCode}`;
  throw new SagaError(
    'setup-failed',
    `The setup command failed (${how}): ${command}\n${result.outputEnd}`.trimEnd(),
    [
      ...(wall ? [`${wall}.`] : []),
      `Try it yourself in ${worktree.folder}, or change worktree.setup in .saga/config.json.`,
    ].join(' '),
  );
}
