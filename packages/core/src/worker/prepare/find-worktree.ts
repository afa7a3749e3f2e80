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
import { quote } from '../../processes/quote.ts';
import { isFolder } from '../../project/find-project.ts';
import { readLink as findLinkTarget } from '../../project/git-files.ts';
import { findUnfinishedRun } from '../settle/unfinished-run.ts';

/**
 * Whether the story's worktree is there and on its branch. Of one that git can no longer use, what
 * git remembers is cleared away; what somebody else put in its place is an error, and stays.
 */
export async function findWorktree(git: Git, folder: string, branch: string): Promise<boolean> {
  if (lstatSync(folder, { throwIfNoEntry: false }) && !isFolder(folder)) throw foreign(folder);
  const isFilled = isFolder(folder) && readdirSync(folder).length > 0;
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
  throw wrongBranch(folder, branch, entry.branch);
}

/** Whether a worktree could be there, or is: looked at only, for one who will not make it. */
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
 * A worktree and its repository name each other by absolute paths, which go stale when the project is
 * moved. `git worktree repair` would mend those of all worktrees, and in a copied project turn the
 * worktrees of the original over to the copy; so only the two files that are surely ours are written.
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

/** Nothing when there is no link; a folder in its place is a repository of its own. */
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

/** Where this repository keeps the worktree; a link that leads to another repository has none here. */
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

/** Only this one entry: `git worktree prune` would drop those of worktrees that were moved along, too. */
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
      `Let the copy forget it: rm -r ${quote(own)}`,
    );
  }
  // git tells the wrong place of a main checkout whose .git is kept somewhere else.
  const here = await git.attempt(['symbolic-ref', '-q', '--short', 'HEAD']);
  const place = here.stdout.trim() === branch ? git.folder : entry.path;
  return new SagaError(
    'worktree-taken',
    `Branch ${branch} is checked out in ${place}, and git lets only one checkout have it.`,
    `Let that one go first: git -C ${quote(place)} switch --detach`,
  );
}

/** A run that nobody saw the end of may have left it anywhere; whoever looks after it leads it back. */
async function wasCutOff(git: Git, folder: string): Promise<boolean> {
  const place = await git.attempt(['-C', folder, 'rev-parse', '--absolute-git-dir']);
  const gitFolder = place.stdout.replace(/\n$/, '');
  return place.code === 0 && findUnfinishedRun({ gitFolder }) !== undefined;
}

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
    `${folder} is there, but it is no worktree of this repository.`,
    `Look what is in it, then move it away: mv ${quote(folder)} ${quote(away)}`,
  );
}
