import type { Problem } from '@saga-ai/types/words/problem';
import type { Paths } from '../../project/paths.ts';
import { pollProject } from './poll-project.ts';
import type { Report } from './project-changes.ts';
import { ProjectWatcher } from './project-watcher.ts';
import { loadWatchFolder, type WatchFolder } from './watch-folder.ts';

/**
 * Reports what changes in a project: the plan in the main checkout, sessions, locks, and the story's folder in each
 * worktree. Other folders of a worktree are not watched, because a worktree may be large. Folders that are created,
 * removed or replaced are followed.
 */
export interface ProjectWatch {
  /** False if folders are polled. */
  isNative: boolean;
  /** Why folders are polled, if a person can do something about it. */
  problem?: Problem;
  stop(): Promise<void>;
}

export interface WatchOptions {
  /** False polls, as if the native module could not be used. */
  native?: boolean;
  /** Watches one folder. The default uses the native module. */
  watchFolder?: WatchFolder;
  /** Gets errors of the watcher; it continues all the same. */
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
  message: 'The system has no free inotify instance, so SAGA looks for changes once a second.',
  hint: 'Close programs that watch files, or allow more: sysctl fs.inotify.max_user_instances=512',
};
