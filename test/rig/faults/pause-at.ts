import childProcess, { type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import type { Point } from './point.ts';

/**
 * Loaded into a worker with `node --import`. At one moment the whole process stands still until the test lets it go on,
 * or kills it. So a fault comes at the same place in every run, on any machine. The product has no code for this.
 */
const folder = process.env.PAUSE_FOLDER ?? '';
const point = JSON.parse(process.env.PAUSE_AT ?? '{}') as Point;
/** The longest pause, for a test that died and lets no worker go on. */
const LONGEST_MS = 300_000;
let left = point.nth ?? 1;

function pauseIf(fits: boolean): void {
  if (!fits) return;
  left -= 1;
  if (left !== 0) return;
  fs.writeFileSync(join(folder, 'reached'), '');
  const lock = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; waited < LONGEST_MS; waited += 5) {
    const go = readGo();
    if (go !== undefined) {
      clockOffset = go;
      return;
    }
    Atomics.wait(lock, 0, 0, 5);
  }
  throw new Error('Nobody let the worker go on.');
}

/** Returns the milliseconds by which the clock jumps, or undefined as long as the worker must wait. */
function readGo(): number | undefined {
  const name = fs.readdirSync(folder).find((it) => it.startsWith('go '));
  return name === undefined ? undefined : Number(name.slice(3));
}

/** How far the clock has jumped. As when somebody sets the clock of the machine, timers go on and times of day jump. */
let clockOffset = 0;
const RealDate = Date;
globalThis.Date = new Proxy(RealDate, {
  construct: (_, args) =>
    args.length === 0 ? new RealDate(Date.now()) : Reflect.construct(RealDate, args),
  get: (target, key) =>
    key === 'now' ? () => RealDate.now() + clockOffset : Reflect.get(target, key),
});

/** Calls `act`, and pauses before or after it if `fits` says that this is the point. */
function around<T>(fits: boolean, act: () => T): T {
  if (point.when === 'before') pauseIf(fits);
  const result = act();
  if (point.when === 'after') pauseIf(fits);
  return result;
}

const has = (text: string) => point.has === undefined || text.includes(point.has);

const { writeSync, renameSync } = fs;
const { spawn } = childProcess;

if (point.what === 'event') {
  fs.writeSync = ((handle: number, bytes: string | Uint8Array, ...rest: []) => {
    const line = Buffer.from(bytes as Uint8Array).toString();
    const fits = line.startsWith('{"time":') && line.includes(`"type":"${point.name}"`);
    return around(fits && has(line), () => writeSync(handle, bytes as Uint8Array, ...rest));
  }) as typeof fs.writeSync;
}

if (point.what === 'file') {
  fs.renameSync = (from, to) =>
    around(String(to).endsWith(point.name) && has(String(to)), () => renameSync(from, to));
}

if (point.what === 'program') {
  const fake = (program: string, args: readonly string[], options: object): ChildProcess => {
    const words = [basename(program), ...withoutOptions(args)].join(' ');
    const fits = words.startsWith(point.name) && has([program, ...args].join(' '));
    if (point.when === 'before') pauseIf(fits);
    const child = spawn(program, args, options);
    // This listener is the first one, so the worker does not know yet that the program has ended.
    if (point.when === 'after') child.on('exit', () => pauseIf(fits));
    return child;
  };
  childProcess.spawn = fake as unknown as typeof spawn;
}

syncBuiltinESMExports();

/** Leaves out options, so that `git -c a=b push` is called "git push". */
function withoutOptions(args: readonly string[]): readonly string[] {
  const [first = '', , ...rest] = args;
  if (first === '-c') return withoutOptions(rest);
  return first.startsWith('--git-dir=') || first.startsWith('--work-tree=')
    ? withoutOptions(args.slice(1))
    : args;
}
