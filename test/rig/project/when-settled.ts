import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tickOf } from '@saga-ai/core/files/change-time';

/** Waits until all changes below a folder are old enough for the index to remember them. */
export async function whenSettled(folder: string): Promise<void> {
  const paths = readdirSync(folder, { recursive: true }).map((path) => join(folder, String(path)));
  for (const path of [folder, ...paths]) {
    const changed = statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
    while (Date.now() - changed <= tickOf(changed)) await sleep(5);
  }
}
