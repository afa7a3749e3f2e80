import type { Event } from '@parcel/watcher';
import { hasSpareInotify } from './spare-inotify.ts';

export interface FolderWatch {
  stop(): Promise<void>;
}

/** Watches a folder and everything below it. `onPaths` gets undefined if events were lost. */
export type WatchFolder = (
  folder: string,
  onPaths: (paths: readonly string[] | undefined) => void,
  ignore?: readonly string[],
) => Promise<FolderWatch>;

export type Unavailable = 'no-module' | 'no-inotify';

/** Loads the native module. Returns the reason if it is not installed, does not run or would block. */
export async function loadWatchFolder(): Promise<WatchFolder | Unavailable> {
  let subscribe: typeof import('@parcel/watcher').subscribe;
  try {
    ({ subscribe } = await import('@parcel/watcher'));
  } catch {
    // The module is optional: without it, folders are polled.
    return 'no-module';
  }
  if (!(await hasSpareInotify())) return 'no-inotify';
  let isStarted = true;
  let active = 0;
  return async (folder, onPaths, ignore = []) => {
    // When the module watches no folder, it frees its inotify instance and will need another one.
    isStarted ||= active > 0 || (await hasSpareInotify());
    if (!isStarted) throw new Error('There is no free inotify instance.');
    active++;
    const stop = async () => {
      if (--active === 0) isStarted = false;
    };
    try {
      const listen = (error: Error | null, events: Event[]) =>
        onPaths(error ? undefined : events.map((it) => it.path));
      const subscription = await subscribe(folder, listen, { ignore: [...ignore] });
      return { stop: () => subscription.unsubscribe().finally(stop) };
    } catch (error) {
      await stop();
      throw error;
    }
  };
}
