import type { Event } from '@parcel/watcher';

export interface FolderWatch {
  stop(): Promise<void>;
}

/** Watches a folder and all below it. `onPaths` gets nothing when events were lost. */
export type WatchFolder = (
  folder: string,
  onPaths: (paths: readonly string[] | undefined) => void,
  ignore?: readonly string[],
) => Promise<FolderWatch>;

/** By the native module; nothing where it is not installed or does not run. */
export async function loadWatchFolder(): Promise<WatchFolder | undefined> {
  let subscribe: typeof import('@parcel/watcher').subscribe;
  try {
    ({ subscribe } = await import('@parcel/watcher'));
  } catch {
    // It is optional: without it folders are looked at again and again.
    return undefined;
  }
  return async (folder, onPaths, ignore = []) => {
    const listen = (error: Error | null, events: Event[]) =>
      onPaths(error ? undefined : events.map((it) => it.path));
    const subscription = await subscribe(folder, listen, { ignore: [...ignore] });
    return { stop: () => subscription.unsubscribe() };
  };
}
