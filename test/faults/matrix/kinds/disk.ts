import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type Point } from '../../../rig/faults/point.ts';
import { strikeWorker } from '../../../rig/faults/struck-worker.ts';
import { TinyDisk } from '../../../rig/faults/tiny-disk.ts';
import type { Workshop } from '../../../rig/worker/workshop.ts';
import type { Fault } from '../fault.ts';

const GROUP = 'The disk';

/** The disk that everything of the site lies on: `playOnSmallDisk` made it. */
const diskOf = (it: Workshop) => new TinyDisk(join(it.root, '../..'));

const full = (id: string, fault: string, point: Point, ends: Fault['ends']): Fault => ({
  id,
  fault,
  group: GROUP,
  ends,
  next: 'done',
  mended: 'with room again',
  strike: ({ it }) => strikeWorker(it, point, () => diskOf(it).fillBytes()),
  mend: ({ it }) => diskOf(it).free(),
});

const mount = (...args: string[]) => void execFileSync('mount', args, { stdio: 'pipe' });

const readOnly = (id: string, fault: string, point: Point, path: string): Fault => ({
  id,
  fault,
  group: GROUP,
  ends: 'error permission-denied',
  next: 'done',
  mended: 'once it can be written',
  strike: ({ it }) =>
    strikeWorker(it, point, () => {
      const folder = join(it.root, path);
      mkdirSync(folder, { recursive: true });
      mount('--bind', folder, folder);
      mount('-o', 'remount,bind,ro', folder);
    }),
  mend: ({ it }) => void execFileSync('umount', [join(it.root, path)]),
});

/** Each needs a disk of its own, and the right to mount one: see `playOnSmallDisk`. */
export const diskFaults: readonly Fault[] = [
  full(
    'full at the start',
    'the disk is full when the worker starts',
    after('event', 'preflight:start'),
    'error disk-full',
  ),
  full(
    'full at the worktree',
    'the disk is full when the worktree is made',
    before('program', 'git worktree add'),
    'error disk-full',
  ),
  full(
    'full at the list',
    'the disk is full when the task list is written',
    after('event', 'hydrate:start'),
    'error disk-full',
  ),
  full(
    'full at a status',
    'the disk is full when a status is saved',
    before('file', 'cart/one.json', { nth: 2 }),
    'error disk-full',
  ),
  full(
    'full at the commit',
    'the disk is full when the statuses are committed',
    before('program', 'git commit', { has: 'completed' }),
    'error disk-full',
  ),
  full(
    'full at the evidence',
    'the disk is full when the evidence is written',
    before('program', 'ssh-keygen -Y sign'),
    'error disk-full',
  ),
  readOnly(
    'read-only at the start',
    '`.git/saga` cannot be written when the worker starts',
    after('event', 'preflight:start'),
    '.git/saga',
  ),
  readOnly(
    'read-only in a run',
    '`.git/saga/runs` cannot be written from the middle of a run on',
    after('event', 'run:init'),
    '.git/saga/runs',
  ),
];
