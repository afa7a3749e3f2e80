import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Ended, SAGA } from '../programs/run-program.ts';
import { createTempFolder } from '../project/temp-folder.ts';
import type { Workshop } from '../worker/workshop.ts';
import type { Point } from './point.ts';

const PAUSE = fileURLToPath(new URL('pause-at.ts', import.meta.url));
/** The limit of a worker that hangs. A busy machine stays far below it. */
const LONGEST_MS = 600_000;

export interface StruckOptions {
  args?: readonly string[];
  env?: Record<string, string>;
  /** Modules that are loaded into the worker. */
  imports?: readonly string[];
  /** What happens once the worker goes on. */
  onceGoing?: () => Promise<void>;
}

/**
 * Runs a worker that stands still at a point. `strike` does something then: it may kill the worker. If it returns
 * a number, the worker's clock jumps by so many milliseconds. Throws if the worker never comes to that point.
 */
export async function strikeWorker(
  it: Workshop,
  point: Point,
  strike: (worker: ChildProcess) => unknown,
  { args = ['worker', 'cart'], env = {}, imports = [], onceGoing }: StruckOptions = {},
): Promise<Ended> {
  using folder = createTempFolder();
  const pause = { PAUSE_FOLDER: folder.path, PAUSE_AT: JSON.stringify(point) };
  const all = { args, env: { ...env, ...pause }, imports: [...imports, PAUSE] };
  const worker = startWorker(it, all);
  await reach(worker, () => existsSync(join(folder.path, 'reached')), JSON.stringify(point));
  const result = await strike(worker.child);
  const jump = typeof result === 'number' ? result : 0;
  // The file is empty, because the disk may be full.
  writeFileSync(join(folder.path, `go ${jump}`), '');
  await onceGoing?.();
  return await worker.ended;
}

/** Runs a worker until something holds, and then strikes it. Throws if it ended before. */
export async function strikeWhen(
  it: Workshop,
  holds: () => boolean,
  strike: (worker: ChildProcess) => unknown,
  { args = ['worker', 'cart'], env = {}, imports = [], onceGoing }: StruckOptions = {},
): Promise<Ended> {
  const worker = startWorker(it, { args, env, imports });
  await reach(worker, holds, 'what the test waits for');
  await strike(worker.child);
  await onceGoing?.();
  return await worker.ended;
}

export const kill = (worker: ChildProcess) => void worker.kill('SIGKILL');

interface Started {
  child: ChildProcess;
  ended: Promise<Ended>;
}

function startWorker(
  it: Workshop,
  options: Required<Pick<StruckOptions, 'args' | 'env' | 'imports'>>,
): Started {
  const { args, env, imports } = options;
  const lead = imports.flatMap((path) => ['--import', path]);
  const child = spawn(process.execPath, [...lead, SAGA, ...args], {
    cwd: it.root,
    env: { ...it.environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'close').then(async ([code]) => {
    const [stdout, stderr] = await printed;
    return { code: code as number | null, stdout, stderr };
  });
  return { child, ended };
}

async function reach({ child, ended }: Started, holds: () => boolean, what: string): Promise<void> {
  const end = Date.now() + LONGEST_MS;
  while (!holds()) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (!hasEnded && Date.now() < end) {
      await sleep(5);
      continue;
    }
    child.kill('SIGKILL');
    const { code, stdout, stderr } = await ended;
    throw new Error(`The worker never came to ${what}; it ended with ${code}.\n${stdout}${stderr}`);
  }
}
