import type { Ended } from '../../../rig/programs/run-program.ts';

/** Throws if a worker did not say these words. */
export function requireSaid({ stdout, stderr }: Ended, words: string): void {
  const text = `${stdout}${stderr}`;
  if (!text.includes(words)) throw new Error(`The worker did not say "${words}".\n${text}`);
}
