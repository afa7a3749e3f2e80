import { existsSync, readlinkSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { removeTree } from '../files/remove-tree.ts';
import { commitAll, type Git } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { withRepositoryLock } from '../git/repository-lock.ts';
import { endMarked } from '../processes/stop-program.ts';
import { type Paths, rehearsalTempLink, storyBranch, worktreeFolder } from '../project/paths.ts';
import { findUnfinishedRun } from '../worker/settle/unfinished-run.ts';

/** Of the temp folder, wherever the system has those. */
export const REHEARSAL_TEMP = 'saga-rehearsal-';

/** Stands in git's description of the branch, and goes with it. */
const MARK = 'made by saga rehearse';

/** Says whose branch it will be, before it is there; and once it is kept, how it was left. */
export async function markRehearsal(git: Git, branch: string, tip?: string): Promise<void> {
  const mark = tip === undefined ? MARK : `${MARK} ${tip}`;
  await withRepositoryLock(git, () => git.run(['config', `branch.${branch}.description`, mark]));
}

/** A branch of that name which somebody else has made is theirs. */
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
 * Takes away all that a rehearsal of the story has made: also what a killed one left running and
 * lying about. Does no harm twice, and none to what others have made. What a person did in one that
 * was kept is put aside first; the name it has then is returned.
 */
export async function discardRehearsal(
  git: Git,
  paths: Paths,
  storyId: string,
): Promise<string | undefined> {
  const folder = worktreeFolder(paths, storyId);
  const branch = storyBranch(paths, storyId);
  await endRun(git, folder);
  const aside = await putAside(git, folder, branch, storyId);
  removeTree(folder);
  // Only this entry, though its folder is gone: those of others are not ours to prune.
  await git.attempt(['worktree', 'remove', '--force', '--force', folder]);
  if (await isRehearsal(git, branch)) await withRepositoryLock(git, () => dropBranch(git, branch));
  dropTemp(rehearsalTempLink(paths, storyId));
  return aside;
}

/** Only where a rehearsal came to its end and was kept: what it left itself is nobody's work. */
async function putAside(
  git: Git,
  folder: string,
  branch: string,
  storyId: string,
): Promise<string | undefined> {
  const left = (await readMark(git, branch))?.tip;
  if (left === undefined) return undefined;
  if (existsSync(folder)) {
    const inside = openPlainGit(folder, git.env);
    const { code } = await inside.attempt(['rev-parse', '--git-dir']);
    if (code === 0) await commitAll(inside, `saga: left in the rehearsal of ${storyId}`);
  }
  const tip = await git.resolve(`refs/heads/${branch}`);
  if (tip === undefined || tip === left) return undefined;
  const aside = `refs/saga/trash/rehearsal/${storyId}/${Date.now()}`;
  await git.run(['update-ref', aside, tip]);
  return aside;
}

/** A client that outlived its worker has nobody to talk to any more. */
async function endRun(git: Git, folder: string): Promise<void> {
  const { code, stdout } = await git.attempt(['-C', folder, 'rev-parse', '--absolute-git-dir']);
  const run = code === 0 ? findUnfinishedRun({ gitFolder: stdout.trim() }) : undefined;
  if (run) await endMarked(run.runId);
}

async function dropBranch(git: Git, branch: string): Promise<void> {
  await dropTracking(git, branch);
  const dropped = await git.attempt(['branch', '-q', '-D', branch]);
  if (dropped.code !== 0) await git.attempt(['config', '--remove-section', `branch.${branch}`]);
}

async function dropTracking(git: Git, branch: string): Promise<void> {
  const pattern = `refs/remotes/*/${branch}`;
  const found = await git.attempt(['for-each-ref', '--format=%(refname)', pattern]);
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
    // None was made, or it is gone already.
    return undefined;
  }
}
