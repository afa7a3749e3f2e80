import { existsSync, lstatSync, readdirSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SagaError } from '../../errors.ts';
import { type Git, listWorktrees, type WorktreeEntry } from '../../git/git.ts';
import { requireWholeRef } from '../../git/refs/require-whole-ref.ts';
import { isFolder } from '../../project/find-project.ts';
import { readLink as findLinkTarget } from '../../project/git-files.ts';
import { mendLinks } from '../../project/mend-links.ts';
import { quote } from '../../project/quote.ts';
import { toReal } from '../../project/resolve-real.ts';
import { findUnfinishedRun } from '../settle/unfinished-run.ts';

/**
 * Whether the story's worktree exists and is on its branch. If git can no longer use the worktree, its
 * entry in the repository is removed. If something else is in its place, that is an error, and nothing
 * is removed.
 */
export async function findWorktree(git: Git, folder: string, branch: string): Promise<boolean> {
  if (lstatSync(folder, { throwIfNoEntry: false }) && !isFolder(folder)) throw foreign(folder);
  const isFilled = isFolder(folder) && readdirSync(folder).length > 0;
  await requireWholeRef(git, branch);
  let entries = await listWorktrees(git);
  if (isFilled && (await mend(git, folder, branch))) entries = await listWorktrees(git);
  const entry = entries.find((it) => it.path === folder);
  if (isFilled && !entry) throw foreign(folder);
  const elsewhere = entries.find((it) => it.branch === branch && it.path !== folder);
  if (elsewhere) await requireGone(git, elsewhere, branch);
  if (!entry) return false;
  if (!isFilled || entry.locked === 'initializing') {
    await forget(git, folder, entry);
    return false;
  }
  if (entry.branch === branch || (await wasCutOff(git, folder))) return true;
  throw (await describeUnfinished(git, folder)) ?? wrongBranch(folder, branch, entry.branch);
}

/** Throws if the story's worktree could not be made. Changes nothing. */
export async function requireFree(git: Git, folder: string, branch: string): Promise<void> {
  const entries = await listWorktrees(git);
  const isKnown = entries.some((it) => it.path === folder);
  const there = lstatSync(folder, { throwIfNoEntry: false });
  const isFilled = there && (!isFolder(folder) || readdirSync(folder).length > 0);
  if (isFilled && !isKnown) throw foreign(folder);
  const elsewhere = entries.find((it) => it.branch === branch && it.path !== folder);
  if (elsewhere && !isGone(elsewhere)) throw await describeTaken(git, elsewhere, branch);
}

/** Returns whether the links between the worktree and its repository were mended. */
async function mend(git: Git, folder: string, branch: string): Promise<boolean> {
  const common = toReal(await git.run(['rev-parse', '--path-format=absolute', '--git-common-dir']));
  const links = mendLinks(common, folder, branch);
  if (links === 'foreign') throw foreign(folder);
  return links === 'mended';
}

/**
 * Removes only this entry: `git worktree prune` would also remove those of worktrees that moved along
 * with the project.
 */
async function forget(git: Git, folder: string, entry: WorktreeEntry): Promise<void> {
  const isUnfinished = entry.locked === 'initializing';
  if (!isUnfinished && isFolder(folder)) rmdirSync(folder);
  const force = isUnfinished ? ['--force', '--force'] : ['--force'];
  await git.run(['worktree', 'remove', ...force, entry.path]);
}

async function requireGone(git: Git, entry: WorktreeEntry, branch: string): Promise<void> {
  if (!isGone(entry)) throw await describeTaken(git, entry, branch);
  await forget(git, entry.path, entry);
}

const isGone = ({ path, prunable, locked }: WorktreeEntry) =>
  prunable && locked === undefined && !existsSync(path);

async function describeTaken(git: Git, entry: WorktreeEntry, branch: string): Promise<SagaError> {
  const target = findLinkTarget(join(entry.path, '.git'));
  const common = toReal(await git.run(['rev-parse', '--path-format=absolute', '--git-common-dir']));
  if (target !== undefined && existsSync(target) && !target.startsWith(`${common}/`)) {
    const own = join(common, 'worktrees', basename(target));
    return new SagaError(
      'worktree-taken',
      `This repository is a copy: it lists ${entry.path} with branch ${branch}, which belongs to ${dirname(dirname(target))}.`,
      `Remove the entry from the copy: rm -r ${quote(own)}`,
    );
  }
  // git reports the wrong path for a main checkout whose .git is elsewhere.
  const here = await git.attempt(['symbolic-ref', '-q', '--short', 'HEAD']);
  const place = here.stdout.trim() === branch ? git.folder : entry.path;
  return new SagaError(
    'worktree-taken',
    `Branch ${branch} is checked out in ${place}, and git allows a branch in one checkout only.`,
    `Free the branch first: git -C ${quote(place)} switch --detach`,
  );
}

/**
 * Whether a worker was killed during a run: such a run may have left HEAD anywhere, and settling it
 * restores the branch.
 */
async function wasCutOff(git: Git, folder: string): Promise<boolean> {
  const place = await git.attempt(['-C', folder, 'rev-parse', '--absolute-git-dir']);
  const gitFolder = place.stdout.replace(/\n$/, '');
  return place.code === 0 && findUnfinishedRun({ gitFolder }) !== undefined;
}

/** Describes an unfinished rebase or the like of a person. Only that person knows whether to continue or abort it. */
async function describeUnfinished(git: Git, folder: string): Promise<SagaError | undefined> {
  const place = await git.attempt(['-C', folder, 'rev-parse', '--absolute-git-dir']);
  const gitFolder = place.stdout.replace(/\n$/, '');
  const found = UNFINISHED.find(([file]) => existsSync(join(gitFolder, file)));
  if (place.code !== 0 || !found) return undefined;
  const [, verb] = found;
  const command = `git -C ${quote(folder)} ${verb}`;
  return new SagaError(
    'worktree-taken',
    `${folder} is in the middle of a ${verb}, which a person began.`,
    `Finish it: ${command} --continue, or give it up: ${command} --abort. Then run the story again.`,
  );
}

const UNFINISHED = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
] as const;

function wrongBranch(folder: string, branch: string, found: string | undefined): SagaError {
  return new SagaError(
    'worktree-taken',
    `${folder} is on ${found ?? 'no branch'}, but should be on ${branch}.`,
    `Commit what is there, then: git -C ${quote(folder)} switch ${branch}`,
  );
}

function foreign(folder: string): SagaError {
  const away = join(dirname(folder), `${basename(folder)}.old`);
  return new SagaError(
    'worktree-taken',
    `${folder} exists, but it is not a worktree of this repository.`,
    `Check what it contains, then move it away: mv ${quote(folder)} ${quote(away)}`,
  );
}
