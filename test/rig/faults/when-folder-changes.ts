import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Moment } from '../programs/kill-program.ts';

/** Longer than a command needs to come to its first write. */
const GIVE_UP_MS = 400;

/** So many milliseconds after the first change in a folder: what writes there is just at it. */
export const whenFolderChanges =
  (folder: string, delay: number): Moment =>
  async () => {
    await firstChange(folder);
    // A timer is too coarse for what lasts less than a millisecond.
    const until = performance.now() + delay;
    if (delay > 4) await sleep(delay);
    while (performance.now() < until);
  };

async function firstChange(folder: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = watch(folder, () => resolve());
  const timer = setTimeout(resolve, GIVE_UP_MS);
  await promise;
  clearTimeout(timer);
  watcher.close();
}
