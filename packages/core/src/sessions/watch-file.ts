import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A killed process changes no file, so waiting for a change alone is not enough. */
const AT_LEAST_EVERY_MS = 1000;

export interface FileWatch extends Disposable {
  /** Resolves when the file may have changed since the last call, and after one second in any case. */
  next(): Promise<void>;
}

/** Watches one file that is replaced by renaming. Watches its folder, because the file may not exist yet. */
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
      // The folder is gone, or the system has no free watches: the check every second is enough.
      watcher?.close();
    });
  } catch {
    // The folder does not exist yet, or the system has no free watches: the check every second is enough.
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
