import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A process that is killed changes no file, so somebody who waits must look by themselves as well. */
const AT_LEAST_EVERY_MS = 1000;

export interface FileWatch extends Disposable {
  /** Resolves when the file may have changed since the last call, and after a second in any case. */
  next(): Promise<void>;
}

/** One file that is written by renaming another onto it; its folder is watched, since it may not be there yet. */
export function watchFile(file: string): FileWatch {
  let hasChanged = false;
  let wake: (() => void) | undefined;
  const onChange = () => {
    hasChanged = true;
    wake?.();
  };
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(file), { persistent: false }, (_, name) => {
      if (name === null || name === basename(file)) onChange();
    });
    watcher.on('error', () => {
      // The folder is gone, or the system has no watches left: the look every second does without.
      watcher?.close();
    });
  } catch {
    // No folder yet, or no watches left: the look every second does without.
  }
  return {
    async next() {
      if (!hasChanged) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, AT_LEAST_EVERY_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = undefined;
      hasChanged = false;
    },
    [Symbol.dispose]: () => watcher?.close(),
  };
}
