import type { Problem } from '@saga-ai/types/words/problem';
import type { Paths } from '../../project/paths.ts';
import { pollProject } from './poll-project.ts';
import type { Report } from './project-changes.ts';
import { ProjectWatcher } from './project-watcher.ts';
import { loadWatchFolder, type WatchFolder } from './watch-folder.ts';

/**
 * Tells what changes in a project: the plan in the main checkout, sessions and locks, and of each
 * worktree the folder of its story and nothing else, for a worktree may be as large as it likes.
 * Folders that come, go or are replaced are followed.
 */
export interface ProjectWatch {
  /** False where folders are looked at again and again instead. */
  isNative: boolean;
  /** Why it is not native, where somebody could do something about it. */
  problem?: Problem;
  stop(): Promise<void>;
}

export interface WatchOptions {
  /** False looks again and again, as where the native module cannot be used. */
  native?: boolean;
  /** How one folder is watched; by the native module if it is not given. */
  watchFolder?: WatchFolder;
  /** Gets what went wrong while folders were followed; the next look is made all the same. */
  onFault?(error: unknown): void;
}

export async function watchProject(
  paths: Paths,
  report: Report,
  options: WatchOptions = {},
): Promise<ProjectWatch> {
  const { native = true, onFault = () => {} } = options;
  if (!native) return { isNative: false, ...pollProject(report) };
  const watchFolder = options.watchFolder ?? (await loadWatchFolder());
  if (watchFolder === 'no-module') return { isNative: false, ...pollProject(report) };
  if (watchFolder === 'no-inotify') {
    return { isNative: false, problem: NO_INOTIFY, ...pollProject(report) };
  }
  const watcher = new ProjectWatcher(paths, report, watchFolder, onFault);
  await watcher.start();
  return { isNative: true, stop: () => watcher.stop() };
}

const NO_INOTIFY: Problem = {
  code: 'not-told',
  message: 'The system has no free inotify instance, so changes are looked for once a second.',
  hint: 'Close programs that watch files, or allow more: sysctl fs.inotify.max_user_instances=512',
};
