import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram } from '@saga-ai/core/processes/run';

type Variables = Readonly<Record<string, string | undefined>>;

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
const PATIENCE_MS = 1000;

/**
 * Opens an address in the person's browser. Without a browser nothing happens: the address was also
 * printed. The started program may be the browser itself, so it is neither awaited nor ended.
 */
export async function openBrowser(url: string, cwd: string, env: Variables): Promise<void> {
  const [program = '', ...lead] = OPENERS[process.platform] ?? ['xdg-open'];
  const { ended } = startProgram(program, [...lead, url], { cwd, env }, () => {});
  const over = ended.catch(() => {
    // A machine without a screen has no such program.
  });
  await Promise.race([over, sleep(PATIENCE_MS, undefined, { ref: false })]);
}
