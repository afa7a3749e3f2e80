import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifyRun } from '@saga-ai/types/run/evidence';
import { openOwnGit, saveOwnGit } from '../../git/own-git.ts';
import type { Worktree } from '../../git/worktree.ts';
import type { Worker } from '../context.ts';
import { copyIncludedFiles } from '../prepare/copy-included-files.ts';
import { runShell } from '../run/run-shell.ts';
import { type CleanPlace, takeCleanPlace } from './clean-places.ts';

/** A checkout that holds only a commit and the files that setup made of it. */
export interface CleanCheckout {
  folder: string;
  /** The run of the setup command, if it failed or was stopped. */
  failedSetup?: VerifyRun;
  /** Lists committed files that were changed in the checkout. */
  listChanged(): Promise<string[]>;
  /** Removes the checkout. */
  close(): void;
}

/**
 * Opens a clean checkout of a commit, and runs setup in it. Nothing is kept from one checkout to the next: setup runs
 * code of the commit, so whatever is there afterwards may come from that code.
 */
export async function openCleanCheckout(
  worker: Worker,
  worktree: Worktree,
  commit: string,
): Promise<CleanCheckout> {
  const place = await takeCleanPlace(worker.paths, worktree);
  try {
    await checkOut(worker, worktree, place, commit);
    const failedSetup = await runSetup(worker, worktree, place);
    return {
      folder: place.folder,
      failedSetup,
      listChanged: () => openPlace(worktree, place).paths(CHANGED),
      close: place.giveBack,
    };
  } catch (error) {
    place.giveBack();
    throw error;
  }
}

const CHANGED = ['diff-index', '--name-only', '-z', '--ignore-submodules=all', 'HEAD'];

/** A folder of git that the commands of the project never see. */
const ownGitFolder = ({ notes }: CleanPlace) => join(notes, 'git');

const openPlace = ({ git }: Worktree, place: CleanPlace) =>
  openOwnGit(ownGitFolder(place), place.folder, git.env);

/** Writes the files of a commit, and a folder of git for the commands of the project. */
async function checkOut(
  worker: Worker,
  worktree: Worktree,
  place: CleanPlace,
  commit: string,
): Promise<void> {
  const own = ownGitFolder(place);
  const { branch, git } = worktree;
  await saveOwnGit({ folder: own, from: git, branch, head: commit });
  const reset = ['reset', '--hard', '-q', commit];
  await openPlace(worktree, place).run(reset, { timeoutMs: CHECKOUT_MS });
  cpSync(own, join(place.folder, '.git'), { recursive: true });
  await copyIncludedFiles({ ...worker, emit: () => {} }, place);
}

const CHECKOUT_MS = 600_000;

/** Runs the setup command in the checkout. Returns its result if it failed. */
async function runSetup(
  worker: Worker,
  worktree: Worktree,
  { folder }: CleanPlace,
): Promise<VerifyRun | undefined> {
  const command = worker.config.worktree.setup;
  if (command === null) return undefined;
  worker.emit('setup:start', { command, checkout: 'clean' });
  const run = await runShell(worker, worktree, command, { checkout: folder });
  worker.emit('setup:end', { checkout: 'clean', exitCode: run.exitCode, outputEnd: run.outputEnd });
  return run.exitCode === 0 ? undefined : { ...run, checkout: 'clean' };
}
