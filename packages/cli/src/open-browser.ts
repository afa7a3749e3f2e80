import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram } from '@saga-ai/core/processes/run';

type Variables = Readonly<Record<string, string | undefined>>;

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
const PATIENCE_MS = 1000;

/**
 * Shows an address in the browser of the person; where there is none, the printed one will do. What
 * was started may be the browser itself, so it is neither waited for nor ended.
 */
export async function openBrowser(url: string, cwd: string, env: Variables): Promise<void> {
  const [program = '', ...lead] = OPENERS[process.platform] ?? ['xdg-open'];
  const { ended } = startProgram(program, [...lead, url], { cwd, env }, () => {});
  const over = ended.catch(() => {
    // No such program on a machine without a screen.
  });
  await Promise.race([over, sleep(PATIENCE_MS, undefined, { ref: false })]);
}
