import { cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VerifyRun } from '@saga-ai/types/run/evidence';
import { loadCacheFile, saveCacheFile } from '../../files/cache-file.ts';
import { removeTree } from '../../files/remove-tree.ts';
import type { Git } from '../../git/git.ts';
import { openOwnGit, saveOwnGit } from '../../git/own-git.ts';
import type { Worktree } from '../../git/worktree.ts';
import type { Worker } from '../context.ts';
import { copyIncludedFiles } from '../prepare/copy-included-files.ts';
import { runShell } from '../run/run-shell.ts';
import { type CleanPlace, madeFilesNote, removePlace, takeCleanPlace } from './clean-places.ts';
import { keepMadeFiles, stampMadeFiles } from './made-files.ts';
import { findSetupKey } from './setup-key.ts';

/** A checkout that holds only a commit and the files that setup made from it. */
export interface CleanCheckout {
  folder: string;
  /** The run of the setup command, if it failed or was stopped. */
  failedSetup?: VerifyRun;
  /** Lists committed files that were changed in the checkout. */
  listChanged(): Promise<string[]>;
  /** Gives the checkout up, but keeps what setup made for the next one. */
  close(): void;
}

export interface Commits {
  base: string;
  head: string;
}

/**
 * Opens a clean checkout of a story's last commit, and runs setup in it.
 *
 * The files that setup makes are kept for the next gate only if the base has the same lock files. Then setup runs on
 * the base, so that no code of a story can change what later gates find. Otherwise setup is run on the story's commit,
 * for this gate alone.
 */
export async function openCleanCheckout(
  worker: Worker,
  worktree: Worktree,
  commits: Commits,
): Promise<CleanCheckout> {
  const place = await takeCleanPlace(worker.paths, worktree);
  try {
    const failedSetup = await fill(worker, worktree, place, commits);
    return {
      folder: place.folder,
      failedSetup,
      listChanged: () => listChanged(worker, place),
      // A rehearsal leaves nothing behind.
      close: () => close(place, worker.paths.isRehearsal),
    };
  } catch (error) {
    removePlace(place);
    place.release();
    throw error;
  }
}

async function fill(
  worker: Worker,
  worktree: Worktree,
  place: CleanPlace,
  { base, head }: Commits,
): Promise<VerifyRun | undefined> {
  const { config, env } = worker;
  const command = config.worktree.setup;
  const git = await openPlace(worker, worktree, place, head);
  if (command === null) {
    await checkOut(worker, place, git, head);
    return undefined;
  }
  const setup = { command, folder: place.folder, env };
  const [key, baseKey] = await Promise.all([
    findSetupKey(git, head, setup),
    findSetupKey(git, base, setup),
  ]);
  const made = { commit: base, key, command };
  const isKept =
    key === baseKey &&
    ((await keepMade(worker, place, git, key)) || (await makeAt(worker, worktree, place, made)));
  if (isKept) {
    await checkOut(worker, place, git, head);
    return undefined;
  }
  empty(place);
  const own = await openPlace(worker, worktree, place, head);
  await checkOut(worker, place, own, head);
  return runSetup(worker, worktree, place, command);
}

const ownGitFolder = ({ notes }: CleanPlace) => join(notes, 'git');

/** Opens git for the checkout, with a folder of its own that the commands of the project never see. */
async function openPlace(
  { env }: Worker,
  { branch, git }: Worktree,
  place: CleanPlace,
  head: string,
): Promise<Git> {
  const folder = ownGitFolder(place);
  await saveOwnGit({ folder, from: git, branch, head });
  return openOwnGit(folder, place.folder, env);
}

/** Writes the files of a commit, and a folder of git for the commands of the project. */
async function checkOut(
  worker: Worker,
  place: CleanPlace,
  git: Git,
  commit: string,
): Promise<string[]> {
  await git.run(['reset', '--hard', '-q', commit], { timeoutMs: CHECKOUT_MS });
  const own = ownGitFolder(place);
  const shown = join(place.folder, '.git');
  mkdirSync(shown, { recursive: true });
  for (const name of readdirSync(shown)) if (name !== 'modules') removeTree(join(shown, name));
  cpSync(own, shown, { recursive: true, filter: (path) => basename(path) !== 'index.lock' });
  return copyIncludedFiles({ ...worker, emit: () => {} }, place);
}

const CHECKOUT_MS = 600_000;

interface Made {
  key: string;
  files: [path: string, stamp: string][];
}

const KIND = 'made-by-setup 1';

/** Removes all files except those that setup made. Returns false if those cannot be used. */
async function keepMade(
  { timestamp }: Worker,
  place: CleanPlace,
  git: Git,
  key: string,
): Promise<boolean> {
  const note = madeFilesNote(place.notes);
  const made = isOlder(note, timestamp)
    ? (loadCacheFile(note, KIND) as Made | undefined)
    : undefined;
  if (made?.key !== key) return false;
  const known = new Set(await git.paths(['ls-files', '-z']));
  return keepMadeFiles(place.folder, new Map(made.files), known);
}

/** Notes that this process wrote, with their change times. */
const WRITTEN = new Map<string, number>();

/**
 * Whether a note can be trusted: it is older than this worker or this worker wrote it. A run may have written any
 * other.
 */
function isOlder(note: string, timestamp: number): boolean {
  const found = statSync(note, { throwIfNoEntry: false });
  if (!found) return false;
  return found.ctimeMs < timestamp || found.ctimeMs === WRITTEN.get(note);
}

/** Runs setup on a commit and notes what it made. Returns false if setup fails there. */
async function makeAt(
  worker: Worker,
  worktree: Worktree,
  place: CleanPlace,
  { commit, key, command }: { commit: string; key: string; command: string },
): Promise<boolean> {
  empty(place);
  const git = await openPlace(worker, worktree, place, commit);
  const included = await checkOut(worker, place, git, commit);
  const failed = await runSetup(worker, worktree, place, command);
  if (failed) return false;
  const tracked = await git.paths(['ls-files', '-z']);
  const files = stampMadeFiles(place.folder, new Set([...tracked, ...included]));
  // A change in the same moment would have the same change time.
  await sleep(TICK_MS);
  const note = madeFilesNote(place.notes);
  saveCacheFile(note, KIND, { key, files: [...files] } satisfies Made);
  const written = statSync(note, { throwIfNoEntry: false });
  if (written) WRITTEN.set(note, written.ctimeMs);
  return true;
}

const TICK_MS = 20;

/** Runs the setup command in the checkout. Returns its result if it failed. */
async function runSetup(
  worker: Worker,
  worktree: Worktree,
  { folder }: CleanPlace,
  command: string,
): Promise<VerifyRun | undefined> {
  worker.emit('setup:start', { command, checkout: 'clean' });
  const run = await runShell(worker, worktree, command, { checkout: folder });
  worker.emit('setup:end', { checkout: 'clean', exitCode: run.exitCode, outputEnd: run.outputEnd });
  return run.exitCode === 0 ? undefined : { ...run, checkout: 'clean' };
}

async function listChanged({ env }: Worker, place: CleanPlace): Promise<string[]> {
  const git = openOwnGit(ownGitFolder(place), place.folder, env);
  return git.paths(['diff-index', '--name-only', '-z', '--ignore-submodules=all', 'HEAD']);
}

function empty({ folder, notes }: CleanPlace): void {
  for (const name of readdirSync(folder)) removeTree(join(folder, name));
  removeTree(madeFilesNote(notes));
  removeTree(join(notes, 'git'));
}

function close(place: CleanPlace, isRehearsal: boolean): void {
  const isKept =
    !isRehearsal && statSync(madeFilesNote(place.notes), { throwIfNoEntry: false }) !== undefined;
  if (!isKept) removePlace(place);
  place.release();
}
