import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processesOf } from '../programs/processes-of.ts';
import { type Ended, type RunOptions, runCommand } from '../programs/run-program.ts';
import { createTempFolder } from '../project/temp-folder.ts';
import { writeClient } from './client.ts';

/**
 * Somebody who has never seen SAGA: an empty home, an empty folder with a space in its name, the usual
 * programs, and the package as `npm pack` makes it.
 */
export interface Stranger extends Disposable {
  folder: string;
  home: string;
  /** The folder for their temporary files. */
  temp: string;
  run(program: string, args: string[], options?: RunOptions): Promise<Ended>;
  environment: Record<string, string>;
  /** Lists the processes that name any of these folders. */
  processes(): string[];
}

const PROGRAMS = 'git tmux gh npm npx node sh bash env cat sed grep tail ps uname'.split(' ');

export interface StrangerOptions {
  without?: readonly string[];
}

export function createStranger({ without = [] }: StrangerOptions = {}): Stranger {
  const around = createTempFolder();
  const place = (name: string) => join(around.path, name);
  const [folder, home, temp, bin] = [
    place('my project'),
    place('home'),
    place('temp'),
    place('bin'),
  ];
  for (const path of [folder, home, temp, bin]) mkdirSync(path);
  for (const name of PROGRAMS.filter((it) => !without.includes(it))) link(name, join(bin, name));
  if (!without.includes('claude')) writeClient(join(bin, 'claude'));
  // The environment has nothing of this machine: a program that is missing here is missing for the stranger.
  const environment = {
    PATH: [bin, join(folder, 'node_modules/.bin'), '/usr/sbin'].join(':'),
    HOME: home,
    TMPDIR: temp,
    LANG: 'C.UTF-8',
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
  };
  return {
    folder,
    home,
    temp,
    environment,
    run: (program, args, { env, ...more } = {}) =>
      runCommand(program, args, { cwd: folder, env: { ...environment, ...env }, ...more }),
    processes: () => processesOf(around.path),
    [Symbol.dispose]: () => around[Symbol.dispose](),
  };
}

function link(name: string, path: string): void {
  if (name === 'node') {
    symlinkSync(process.execPath, path);
    return;
  }
  const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  if (found === '') throw new Error(`${name} is not installed. Run: npm run setup`);
  // npm is a script that finds its other files relative to its own path.
  writeFileSync(path, `#!/bin/sh\nexec '${found}' "$@"\n`, { mode: 0o755 });
}
