import { existsSync, readdirSync, readlinkSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { removeTree } from '../files/remove-tree.ts';
import { commitAll } from '../git/commit.ts';
import { type Git, listWorktrees } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { leftFolder } from '../git/refs/left-refs.ts';
import { formatRehearsalTrash } from '../git/refs/trash-refs.ts';
import { withRepositoryLock } from '../git/repository-lock.ts';
import { type Paths, rehearsalTempLink, storyBranch, worktreeName } from '../project/paths.ts';
import { toReal } from '../project/resolve-real.ts';
import { listWorktreePlaces } from '../project/worktrees-folder.ts';
import { endUnfinished, findUnfinishedRun } from '../worker/settle/unfinished-run.ts';

/** The beginning of the name of a rehearsal's temporary folder. */
export const REHEARSAL_TEMP = 'saga-rehearsal-';

/** Written into git's description of the branch, which is deleted with the branch. */
const MARK = 'made by saga rehearse';

/** Marks a branch as a rehearsal's, before it exists. A kept rehearsal also notes its last commit. */
export async function markRehearsal(git: Git, branch: string, tip?: string): Promise<void> {
  const mark = tip === undefined ? MARK : `${MARK} ${tip}`;
  await withRepositoryLock(git, () => git.run(['config', `branch.${branch}.description`, mark]));
}

/** Whether a rehearsal made the branch. A branch of the same name without the mark belongs to a person. */
export async function isRehearsal(git: Git, branch: string): Promise<boolean> {
  return (await readMark(git, branch)) !== undefined;
}

async function readMark(git: Git, branch: string): Promise<{ tip?: string } | undefined> {
  const { stdout } = await git.attempt(['config', '--get', `branch.${branch}.description`]);
  const [mark, tip] = new RegExp(`^${MARK}(?: ([0-9a-f]+))?$`).exec(stdout.trim()) ?? [];
  if (mark === undefined) return undefined;
  return tip === undefined ? {} : { tip };
}

/**
 * Removes everything that a rehearsal of the story made, including what a killed one left running. May be called again.
 * Leaves everything that others made. If a person changed a kept rehearsal, those changes are saved first under the
 * returned name.
 */
export async function discardRehearsal(
  git: Git,
  paths: Paths,
  storyId: string,
): Promise<string | undefined> {
  const branch = storyBranch(paths, storyId);
  const folder = await findMade(git, paths, storyId);
  if (folder !== undefined) await endRun(git, paths, storyId, folder);
  const aside = await putAside(git, folder, branch, storyId);
  if (folder !== undefined) {
    removeTree(folder);
    // Remove only this entry: entries of other worktrees must not be pruned.
    await git.attempt(['worktree', 'remove', '--force', '--force', folder]);
  }
  for (const place of [
    ...listWorktreePlaces(paths, git.env),
    ...(folder ? [dirname(folder)] : []),
  ]) {
    removeEmpty(join(place, worktreeName(paths, storyId)));
    removeEmpty(place);
  }
  if (await isRehearsal(git, branch)) await withRepositoryLock(git, () => dropBranch(git, branch));
  dropTemp(rehearsalTempLink(paths, storyId));
  return aside;
}

/**
 * Finds the worktree of a rehearsal through git. Other folders of that name, and a branch that a
 * person checked out elsewhere, are left alone.
 */
async function findMade(git: Git, paths: Paths, storyId: string): Promise<string | undefined> {
  const listed = await git.attempt(['rev-parse', '--git-dir']);
  if (listed.code !== 0) return undefined;
  const isNamed = (path: string) => basename(path) === worktreeName(paths, storyId);
  const branch = storyBranch(paths, storyId);
  const entries = (await listWorktrees(git)).filter((it) => isNamed(it.path));
  const places = listWorktreePlaces(paths, git.env).map((it) =>
    join(toReal(it), worktreeName(paths, storyId)),
  );
  const found =
    entries.find((it) => it.branch === branch) ?? entries.find((it) => places.includes(it.path));
  return found?.path;
}

/** Removes a folder if it is empty, so that a rehearsal leaves no new folder. */
function removeEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Saves a person's changes in a kept rehearsal. Changes that the rehearsal itself left are not saved. */
async function putAside(
  git: Git,
  folder: string | undefined,
  branch: string,
  storyId: string,
): Promise<string | undefined> {
  const left = (await readMark(git, branch))?.tip;
  if (left === undefined) return undefined;
  if (folder !== undefined && existsSync(folder)) {
    const inside = openPlainGit(folder, git.env);
    const { code } = await inside.attempt(['rev-parse', '--git-dir']);
    if (code === 0) await commitAll(inside, `saga: left in the rehearsal of ${storyId}`);
  }
  const tip = await git.resolve(`refs/heads/${branch}`);
  if (tip === undefined || tip === left) return undefined;
  const aside = formatRehearsalTrash(storyId, Date.now());
  await git.run(['update-ref', aside, tip]);
  return aside;
}

/** Ends a client that outlived its worker. */
async function endRun(git: Git, paths: Paths, storyId: string, folder: string): Promise<void> {
  const { code, stdout } = await git.attempt(['-C', folder, 'rev-parse', '--absolute-git-dir']);
  const run = code === 0 ? findUnfinishedRun({ gitFolder: stdout.trim() }) : undefined;
  if (run) await endUnfinished({ paths, storyId }, run);
}

async function dropBranch(git: Git, branch: string): Promise<void> {
  await dropTracking(git, branch);
  const dropped = await git.attempt(['branch', '-q', '-D', branch]);
  if (dropped.code !== 0) await git.attempt(['config', '--remove-section', `branch.${branch}`]);
}

async function dropTracking(git: Git, branch: string): Promise<void> {
  const patterns = [`refs/remotes/*/${branch}`, leftFolder(branch)];
  const found = await git.attempt(['for-each-ref', '--format=%(refname)', ...patterns]);
  for (const ref of found.stdout.split('\n').filter(Boolean)) {
    await git.attempt(['update-ref', '-d', ref]);
  }
}

function dropTemp(link: string): void {
  const temp = readLink(link);
  if (temp !== undefined && basename(temp).startsWith(REHEARSAL_TEMP)) {
    removeTree(temp);
  }
  rmSync(link, { force: true });
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // The link was never made, or is gone already.
    return undefined;
  }
}
