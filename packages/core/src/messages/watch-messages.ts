import { type FSWatcher, watch } from 'node:fs';
import { ensureIgnoredFolder } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { messageFolder, type Paths } from '../project/paths.ts';

/** How often the folder is read if the system has no free watches. */
const AT_LEAST_EVERY_MS = 1000;

/** Calls back when a message may have come. */
export function watchMessages(paths: Paths, storyId: string, onChange: () => void): Disposable {
  const folder = messageFolder(paths, storyId);
  let watcher: FSWatcher | undefined;
  try {
    ensureIgnoredFolder(paths.runs);
    ensureFolder(folder);
    watcher = watch(folder, { persistent: false }, onChange);
    watcher.on('error', () => watcher?.close());
  } catch {
    // The system has no free watches. Reading the folder every second is enough.
  }
  const timer = setInterval(onChange, AT_LEAST_EVERY_MS).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      watcher?.close();
    },
  };
}
