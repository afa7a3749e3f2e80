import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTempFolder } from '../project/temp-folder.ts';

const LOOK_WHEN_TOLD = fileURLToPath(new URL('look-when-told.ts', import.meta.url));
/** No other timer of the worker has this length. */
export const CHECK_IN_MS = 7_500;
/** Ends what hangs; a busy machine stays far below it. */
const LONGEST_MS = 300_000;
/** A run that hangs shows a few signs of life until its last process has begun. */
const MOST_LOOKS = 50;

/** For the project's settings: a worker with `Looks` looks at its run only when the test says so. */
export const CHECK_IN = { minutes: CHECK_IN_MS / 60_000, misses: 2 };

/** Lets a test say when a worker looks whether its run shows signs of life. */
export interface Looks extends Disposable {
  /** How to start the worker. */
  worker: { imports: readonly string[]; env: Record<string, string> };
  /** Lets the worker look at its run, and waits until the worker has judged what it saw. */
  look(): Promise<void>;
  /** Lets the worker look once its run has printed something since the last look. */
  lookAfterOutput(): Promise<void>;
  /** Lets the worker look again and again until something holds. */
  lookUntil(holds: () => boolean): Promise<void>;
}

export function openLooks(): Looks {
  const folder = createTempFolder();
  const order = async (name: string) => {
    const path = join(folder.path, name);
    writeFileSync(path, '');
    for (const end = Date.now() + LONGEST_MS; existsSync(path); await sleep(5)) {
      if (Date.now() > end) throw new Error('The worker never looked at its run.');
    }
  };
  const look = () => order('look');
  return {
    worker: { imports: [LOOK_WHEN_TOLD], env: { LOOK_FOLDER: folder.path } },
    look,
    lookAfterOutput: () => order('look-after-output'),
    async lookUntil(holds) {
      for (let looks = 0; !holds(); looks++) {
        if (looks === MOST_LOOKS) throw new Error(`${looks} looks were in vain: ${holds}`);
        await look();
      }
    },
    [Symbol.dispose]: folder[Symbol.dispose],
  };
}
