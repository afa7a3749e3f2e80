import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PLAIN_ENVIRONMENT } from './run-program.ts';

/** How often a fault test kills a program. SAGA_KILLS=5000 runs a long test. */
export const KILLS = Number(process.env.SAGA_KILLS ?? 300);

/** What is awaited between the start of a program and its end by `kill -9`. */
export type Moment = (printed: () => string) => Promise<void>;

/** Starts a Node program, kills it at the given moment, and hands back the lines it had printed. */
export async function killProgram(
  file: string,
  args: string[],
  moment: Moment,
  cwd?: string,
  env: Record<string, string> = {},
): Promise<string[]> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...PLAIN_ENVIRONMENT, ...env },
  });
  const closed = once(child, 'close');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  try {
    await moment(() => printed);
  } finally {
    child.kill('SIGKILL');
    await closed;
  }
  return printed.split('\n').slice(0, -1);
}

/** Checks without a pause, because the interesting moments last less than a millisecond. */
export async function spinUntil(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('the program never came so far');
  }
}
