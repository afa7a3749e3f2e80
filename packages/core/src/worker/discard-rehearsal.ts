import { readlinkSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Git } from '../programs/git.ts';
import { type Paths, rehearsalTempLink, storyBranch, worktreeFolder } from '../project/paths.ts';
import { endMarked } from './stop-program.ts';
import { findUnfinishedRun } from './unfinished-run.ts';

/** Of the temp folder, wherever the system has those. */
export const REHEARSAL_TEMP = 'saga-rehearsal-';

/** Stands in git's description of the branch, and goes with it. */
const MARK = 'made by saga rehearse';

/** Says whose branch it will be, before it is there. */
export async function markRehearsal(git: Git, branch: string): Promise<void> {
  await git.run(['config', `branch.${branch}.description`, MARK]);
}

/** A branch of that name which somebody else has made is theirs. */
export async function isRehearsal(git: Git, branch: string): Promise<boolean> {
  const { stdout } = await git.attempt(['config', '--get', `branch.${branch}.description`]);
  return stdout.trim() === MARK;
}

/**
 * Takes away all that a rehearsal of the story has made: also what a killed one left running and
 * lying about. Does no harm twice, and none to what others have made.
 */
export async function discardRehearsal(git: Git, paths: Paths, storyId: string): Promise<void> {
  const folder = worktreeFolder(paths, storyId);
  const branch = storyBranch(paths, storyId);
  await endRun(git, folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // Only this entry, though its folder is gone: those of others are not ours to prune.
  await git.attempt(['worktree', 'remove', '--force', '--force', folder]);
  if (await isRehearsal(git, branch)) {
    await dropTracking(git, branch);
    const dropped = await git.attempt(['branch', '-q', '-D', branch]);
    if (dropped.code !== 0) await git.attempt(['config', '--remove-section', `branch.${branch}`]);
  }
  dropTemp(rehearsalTempLink(paths, storyId));
}

/** A client that outlived its worker has nobody to talk to any more. */
async function endRun(git: Git, folder: string): Promise<void> {
  const { code, stdout } = await git.attempt(['-C', folder, 'rev-parse', '--absolute-git-dir']);
  const run = code === 0 ? findUnfinishedRun({ gitFolder: stdout.trim() }) : undefined;
  if (run) await endMarked(run.runId);
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
    rmSync(temp, { recursive: true, force: true, maxRetries: 3 });
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
