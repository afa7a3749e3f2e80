import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { runCommand, SAGA } from '../programs/run-program.ts';
import { createTempProject, TempProject } from '../project/temp-project.ts';
import { TinyDisk } from './tiny-disk.ts';

/** A project whose `.saga` is a disk of its own. */
export type TinyProject = TempProject & { disk: TinyDisk };

/**
 * The disk is mounted in a namespace of its own, which needs no rights and which other processes do not see. A keeper
 * process holds the namespace until the test is over. Commands enter it, and the test reads it through the keeper's
 * root. All paths are the same inside.
 */
export async function createTinyProject(size = '256k', names = 200): Promise<TinyProject> {
  const outside = await createTempProject();
  const keeper = await startKeeper(outside.paths.saga, `size=${size},nr_inodes=${names},mode=755`);
  if ('refusal' in keeper) {
    await outside[Symbol.asyncDispose]();
    throw new Error(`A tiny disk cannot be mounted: ${keeper.refusal}`);
  }
  const { pid } = keeper.child;
  const inside = new TempProject(`/proc/${pid}/root${outside.root}`);
  const enter = ['--user', '--mount', '--preserve-credentials', '--target', String(pid)];
  const script = 'cd "$1" && shift && exec "$@"';
  return Object.assign(inside, {
    disk: new TinyDisk(inside.paths.saga),
    saga: ((args, options = {}) => {
      const command = ['sh', '-c', script, 'sh', outside.root, process.execPath, SAGA, ...args];
      return runCommand('nsenter', [...enter, ...command], options);
    }) satisfies TempProject['saga'],
    async [Symbol.asyncDispose]() {
      await stopKeeper(keeper.child);
      await outside[Symbol.asyncDispose]();
    },
  });
}

/** Returns why no disk can be mounted on this machine: some systems and containers forbid namespaces. */
export async function findMountRefusal(): Promise<string | undefined> {
  await using outside = await createTempProject();
  const keeper = await startKeeper(outside.paths.saga, 'size=64k');
  if ('refusal' in keeper) return keeper.refusal;
  await stopKeeper(keeper.child);
  return undefined;
}

async function startKeeper(
  folder: string,
  options: string,
): Promise<{ child: ChildProcess } | { refusal: string }> {
  // The keeper lives as long as its input is open, so that it does not outlive the tests.
  const script = 'mount -t tmpfs -o "$1" saga-test "$2" && echo mounted && exec cat';
  const child = spawn(
    'unshare',
    ['--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', options, folder],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const said = text(child.stderr);
  const failed = once(child, 'error').then(([error]: Error[]) => error?.message ?? '');
  const ended = once(child, 'close').then(async () => (await said).trim());
  const mounted = once(child.stdout, 'data').then(() => undefined);
  const refusal = await Promise.race([mounted, failed, ended]);
  return refusal === undefined ? { child } : { refusal };
}

async function stopKeeper(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.stdin?.end();
  await closed;
}
