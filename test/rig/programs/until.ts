import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the check returns true. Fails after a time that no machine needs. */
export async function until(check: () => boolean | Promise<boolean>, ms = 300_000): Promise<void> {
  for (const end = Date.now() + ms; !(await check()); await sleep(50)) {
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain: ${check}`);
  }
}
