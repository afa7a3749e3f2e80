import childProcess from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CHECK_IN_MS } from './looks.ts';

/**
 * Loaded into a worker with `node --import`: it looks at its run when the test says so, and never by itself. So
 * whatever stands still for a while, the test, the client or the worker, is not taken for a silent run. At each look
 * the clock has gone on by the time between two check-ins. The product knows nothing of it.
 */
const folder = process.env.LOOK_FOLDER ?? '';
/** A look takes a turn for each folder of the worktree, and a worktree of a test has a few. */
const TURNS_OF_A_LOOK = 500;

let clockOffset = 0;
const RealDate = Date;
globalThis.Date = new Proxy(RealDate, {
  construct: (_, args) =>
    args.length === 0 ? new RealDate(Date.now()) : Reflect.construct(RealDate, args),
  get: (target, key) =>
    key === 'now' ? () => RealDate.now() + clockOffset : Reflect.get(target, key),
});

/** The look at the run that goes on now. */
let current: { timer: NodeJS.Timeout; look: () => void } | undefined;
const { setInterval: realSetInterval, clearInterval: realClearInterval } = globalThis;

globalThis.setInterval = ((look: () => void, ms?: number, ...rest: []) => {
  if (ms !== CHECK_IN_MS) return realSetInterval(look, ms, ...rest);
  const timer = realSetInterval(() => {}, ms);
  current = { timer, look };
  return timer;
}) as typeof setInterval;

globalThis.clearInterval = (timer) => {
  if (timer === current?.timer) current = undefined;
  realClearInterval(timer);
};

/** Whether the client has printed something since the last look. */
let hasPrinted = false;
const { spawn } = childProcess;
childProcess.spawn = ((program: string, args: readonly string[], options: object) => {
  const child = spawn(program, args, options);
  if (basename(program) === 'claude') {
    child.stdout?.on('data', () => {
      hasPrinted = true;
    });
  }
  return child;
}) as typeof spawn;
syncBuiltinESMExports();

let isBusy = false;
realSetInterval(async () => {
  const order = ['look', 'look-after-output'].find((name) => existsSync(join(folder, name)));
  if (isBusy || order === undefined || current === undefined) return;
  if (order === 'look-after-output' && !hasPrinted) return;
  isBusy = true;
  hasPrinted = false;
  clockOffset += CHECK_IN_MS;
  current.look();
  for (let turn = 0; turn < TURNS_OF_A_LOOK; turn++) await nextTurn();
  rmSync(join(folder, order));
  isBusy = false;
}, 5).unref();
