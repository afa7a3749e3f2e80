import childProcess, { type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import type { Moment } from './moment.ts';

/**
 * Loaded into a worker with `node --import`. At one moment the whole process stands still until the test lets it
 * go on, or kills it: so a fault comes at the same place in every run, on any machine. The product knows nothing
 * of it.
 */
const folder = process.env.PAUSE_FOLDER ?? '';
const moment = JSON.parse(process.env.PAUSE_AT ?? '{}') as Moment;
/** A test that died lets nobody go on. */
const LONGEST_MS = 120_000;
let left = moment.nth ?? 1;

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

/** The milliseconds by which the clock is to jump; undefined as long as the worker has to wait. */
function readGo(): number | undefined {
  const name = fs.readdirSync(folder).find((it) => it.startsWith('go '));
  return name === undefined ? undefined : Number(name.slice(3));
}

/** As when somebody sets the clock of the machine: timers go on, times of day jump. */
let clockOffset = 0;
const RealDate = Date;
globalThis.Date = new Proxy(RealDate, {
  construct: (_, args) =>
    args.length === 0 ? new RealDate(Date.now()) : Reflect.construct(RealDate, args),
  get: (target, key) =>
    key === 'now' ? () => RealDate.now() + clockOffset : Reflect.get(target, key),
});

/** Pauses before or after `act`, if what it does is the moment. */
function around<T>(fits: boolean, act: () => T): T {
  if (moment.when === 'before') pauseIf(fits);
  const result = act();
  if (moment.when === 'after') pauseIf(fits);
  return result;
}

const has = (text: string) => moment.has === undefined || text.includes(moment.has);

const { writeSync, renameSync } = fs;
const { spawn } = childProcess;

if (moment.what === 'event') {
  fs.writeSync = ((handle: number, bytes: string | Uint8Array, ...rest: []) => {
    const line = Buffer.from(bytes as Uint8Array).toString();
    const fits = line.startsWith('{"time":') && line.includes(`"type":"${moment.name}"`);
    return around(fits && has(line), () => writeSync(handle, bytes as Uint8Array, ...rest));
  }) as typeof fs.writeSync;
}

if (moment.what === 'file') {
  fs.renameSync = (from, to) =>
    around(String(to).endsWith(moment.name) && has(String(to)), () => renameSync(from, to));
}

if (moment.what === 'program') {
  const fake = (program: string, args: readonly string[], options: object): ChildProcess => {
    const words = [basename(program), ...withoutOptions(args)].join(' ');
    const fits = words.startsWith(moment.name) && has([program, ...args].join(' '));
    if (moment.when === 'before') pauseIf(fits);
    const child = spawn(program, args, options);
    // The first to hear of it: the worker does not know yet that the program has ended.
    if (moment.when === 'after') child.on('exit', () => pauseIf(fits));
    return child;
  };
  childProcess.spawn = fake as unknown as typeof spawn;
}

syncBuiltinESMExports();

/** `git -c a=b push` is called "git push". */
function withoutOptions(args: readonly string[]): readonly string[] {
  const [first = '', , ...rest] = args;
  if (first === '-c') return withoutOptions(rest);
  return first.startsWith('--git-dir=') || first.startsWith('--work-tree=')
    ? withoutOptions(args.slice(1))
    : args;
}
