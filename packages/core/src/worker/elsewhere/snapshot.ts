import { lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAnySession } from '@saga-ai/types/words/names';
import { listNames } from '../../files/list-folder.ts';
import { openSharedGit } from '../../git/plain-git.ts';
import { readRefs } from '../../git/read-refs.ts';
import type { Worktree } from '../../git/worktree.ts';
import { findLockOwner } from '../../processes/lock.ts';
import { type Paths, parseItemLock, parseSessionRecordName } from '../../project/paths.ts';
import { sharedFolderOf } from '../../sandbox/git-quarantine.ts';
import type { Worker } from '../context.ts';
import { type CheckoutMark, readCheckouts } from './checkouts.ts';
import { type ControlFiles, readControlFiles } from './control-files.ts';

/**
 * The state of everything outside a worktree that a run may change. It is taken before a run and compared afterwards.
 */
export interface Snapshot {
  /** Milliseconds since the epoch. */
  takenAt: number;
  controlFiles: ControlFiles;
  refs: ReadonlyMap<string, string>;
  checkouts: ReadonlyMap<string, CheckoutMark>;
  /** The plan in the main checkout: what the system says about each file. */
  plan: ReadonlyMap<string, string>;
  busy: ReadonlySet<string>;
}

export async function takeSnapshot(
  { paths }: Pick<Worker, 'paths'>,
  worktree: Worktree,
): Promise<Snapshot> {
  const takenAt = Date.now();
  const shared = sharedFolderOf(worktree);
  const own = basename(worktree.gitFolder);
  return {
    takenAt,
    controlFiles: readControlFiles(shared, own),
    checkouts: readCheckouts(shared, own),
    plan: readPlanStamps(paths),
    busy: listBusyStories(paths, takenAt),
    refs: await readRefs(openSharedGit(shared, worktree.git.env), shared),
  };
}

/** Lists stories and epics that a worker or a scheduler works on now, or worked on after `since`. */
export function listBusyStories(paths: Paths, since: number): Set<string> {
  const locked = listNames(paths.locks).flatMap((name) => {
    const { kind, id } = parseItemLock(name) ?? {};
    const isAtWork = kind === 'worker' || kind === 'epic';
    return isAtWork && findLockOwner(join(paths.locks, name)) ? (id ?? []) : [];
  });
  const ended = listNames(paths.sessions).flatMap((name) => {
    const story = parseAnySession(parseSessionRecordName(name) ?? '')?.storyId;
    const changed = lstatSync(join(paths.sessions, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return story !== undefined && changed >= since ? [story] : [];
  });
  return new Set([...locked, ...ended]);
}

/** Reads inode, size and change time of every file of the plan. Every write changes the change time. */
export function readPlanStamps({ root, config, stories, epics, archive }: Paths) {
  const stamps = new Map<string, string>();
  const add = (path: string) => {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (!found) return;
    if (!found.isDirectory()) {
      stamps.set(path.slice(root.length + 1), `${found.ino} ${found.size} ${found.ctimeNs}`);
      return;
    }
    for (const name of readdirSync(path)) if (!/^\..*\.tmp$/.test(name)) add(join(path, name));
  };
  for (const path of [config, epics, stories, archive]) add(path);
  return stamps;
}
