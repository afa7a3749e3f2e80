import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Moment } from '../programs/kill-program.ts';

/**
 * Waits until so many milliseconds after the first change in a folder, while a command is writing there. `giveUpMs` is
 * longer than a command needs on this machine until its first write.
 */
export const whenFolderChanges =
  (folder: string, delay: number, giveUpMs: number): Moment =>
  async () => {
    await firstChange(folder, giveUpMs);
    // A timer is too coarse for moments of less than a millisecond.
    const until = performance.now() + delay;
    if (delay > 4) await sleep(delay);
    while (performance.now() < until);
  };

async function firstChange(folder: string, giveUpMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = watch(folder, () => resolve());
  const timer = setTimeout(resolve, giveUpMs);
  await promise;
  clearTimeout(timer);
  watcher.close();
}
