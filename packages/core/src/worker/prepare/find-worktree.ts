import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SagaError } from '../../errors.ts';
import { type Git, listWorktrees, type WorktreeEntry } from '../../git/git.ts';
import { requireWholeRef } from '../../git/refs/require-whole-ref.ts';
import { quote } from '../../processes/quote.ts';
import { isFolder } from '../../project/find-project.ts';
import { readLink as findLinkTarget } from '../../project/git-files.ts';
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
  if (isFilled && (await mendLinks(git, folder, branch))) entries = await listWorktrees(git);
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

/**
 * Repairs the links between the worktree and its repository. They are absolute paths, which become
 * wrong when the project is moved. `git worktree repair` would repair all worktrees; in a copied
 * project it would give the original's worktrees to the copy. So only the two files of this worktree
 * are written.
 */
async function mendLinks(git: Git, folder: string, branch: string): Promise<boolean> {
  const common = toReal(await git.run(['rev-parse', '--path-format=absolute', '--git-common-dir']));
  const link = join(folder, '.git');
  const target = readLink(link, folder);
  const admin = target === undefined ? findAdmin(common, link) : ownAdmin(common, target);
  if (admin === undefined) throw foreign(folder);
  const back = readText(join(admin, 'gitdir'));
  const other = back === undefined ? undefined : toReal(resolve(admin, back));
  if (target === admin && other === link) return false;
  const isOfBranch = readText(join(admin, 'HEAD')) === `ref: refs/heads/${branch}`;
  const isTaken = other !== undefined && other !== link && existsSync(other);
  if (!isOfBranch || isTaken) throw foreign(folder);
  writeFileSync(link, `gitdir: ${admin}\n`);
  writeFileSync(join(admin, 'gitdir'), `${link}\n`);
  return true;
}

/**
 * Returns undefined if there is no link. A folder in its place belongs to another repository, so it is
 * an error.
 */
function readLink(link: string, folder: string): string | undefined {
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (!there) return undefined;
  const target = there.isFile() ? /^gitdir: (.+)$/.exec(readText(link) ?? '')?.[1] : undefined;
  if (target === undefined) throw foreign(folder);
  return toReal(resolve(folder, target));
}

function toReal(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/**
 * Returns this repository's folder for the worktree, or undefined if the link leads to another
 * repository.
 */
function ownAdmin(common: string, target: string): string | undefined {
  const admin = join(common, 'worktrees', basename(target));
  if (target !== admin && existsSync(target)) return undefined;
  return isFolder(admin) ? admin : undefined;
}

function findAdmin(common: string, link: string): string | undefined {
  const all = join(common, 'worktrees');
  if (!isFolder(all)) return undefined;
  const name = readdirSync(all).find((it) => readText(join(all, it, 'gitdir')) === link);
  return name === undefined ? undefined : join(all, name);
}

function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : undefined;
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

/** A person is in the middle of a rebase or the like. Only they know whether to go on or to give it up. */
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
