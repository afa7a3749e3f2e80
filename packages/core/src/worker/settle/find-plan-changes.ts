import { type BigIntStats, chmodSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Git } from '../../git/git.ts';
import { foldName } from '../../scope/fold-name.ts';
import { type ContentIds, hashBlob } from './content-ids.ts';

/**
 * Which files of the plan differ from a commit: on disk, or in a later commit. The disk is read and
 * not git's index alone, for a run can tell the index to overlook a file, and an ignore file to hide one.
 */
export async function findPlanChanges(
  git: Git,
  since: string,
  contents: ContentIds,
): Promise<string[]> {
  const onDisk = new Map(listDisk(git.folder).map((it) => [it.path, it]));
  const diff = ['diff', '--name-only', '--no-renames', '--no-relative', '-z', since];
  const [before, ...seenByGit] = await Promise.all([
    listTree(git, since),
    git.paths([...diff, 'HEAD', '--', PLAN]),
    git.paths([...diff, '--', PLAN]),
    git.paths(['ls-files', '-o', '--exclude-standard', '-z', '--', PLAN]),
  ]);
  const changed: string[] = [];
  let looked = 0;
  for (const [path, id] of before) {
    const entry = onDisk.get(path);
    if (!entry || !isSame(join(git.folder, path), entry, id, contents)) changed.push(path);
    // A large plan must not keep signals and timers waiting.
    if (++looked % FILES_A_TURN === 0) await nextTurn();
  }
  const added = [...onDisk.values()].filter((it) => !before.has(it.path) && isPlan(it));
  const all = [...seenByGit.flat(), ...changed, ...added.map(({ path }) => path)];
  return [...new Set(all)].sort();
}

const FILES_A_TURN = 200;

/** `.saga` in any spelling: some disks make no difference. */
export const PLAN = ':(icase).saga';

/** Path to what git calls its content. */
async function listTree(git: Git, commit: string): Promise<Map<string, string>> {
  const records = await git.paths(['ls-tree', '-r', '-z', '--full-tree', commit, '--', '.saga']);
  return new Map(
    records.flatMap((record) => {
      const [, kind, id, path] = /^\d+ (\w+) (\w+)\t(.*)$/s.exec(record) ?? [];
      return kind === 'blob' && id !== undefined && path !== undefined ? [[path, id] as const] : [];
    }),
  );
}

interface DiskEntry {
  path: string;
  kind: 'file' | 'link' | 'other';
  stats: BigIntStats;
}

function listDisk(root: string): DiskEntry[] {
  const tops = readdirSync(root).filter((name) => foldName(name) === '.saga');
  return tops.flatMap((top) => listBelow(root, top));
}

/** Links are listed and not followed: what lies behind them is not the plan's. */
function listBelow(root: string, path: string): DiskEntry[] {
  if (MACHINE_STATE.has(path)) return [];
  const stats = lstatSync(join(root, path), { bigint: true });
  if (stats.isSymbolicLink()) return [{ path, kind: 'link', stats }];
  ensureOpen(join(root, path), Number(stats.mode), stats.isDirectory());
  if (!stats.isDirectory()) return [{ path, kind: stats.isFile() ? 'file' : 'other', stats }];
  return readdirSync(join(root, path)).flatMap((name) => listBelow(root, `${path}/${name}`));
}

/** What a run took its own rights from could neither be read nor put back. */
function ensureOpen(path: string, mode: number, isFolder: boolean): void {
  const wanted = isFolder ? 0o700 : 0o600;
  if ((mode & wanted) !== wanted) chmodSync(path, mode | wanted);
}

/** What SAGA itself keeps there, ignored by git. */
const MACHINE_STATE = new Set(['.saga/worktrees', '.saga/runs', '.saga/cache']);

/** What is read as the plan, or leads out of it, whether git ignores it or not. */
function isPlan({ path, kind }: DiskEntry): boolean {
  return kind === 'link' || /^\.saga\/(?:stories|epics|archive)\/.*\.json$/.test(path);
}

function isSame(
  file: string,
  { path, kind, stats }: DiskEntry,
  id: string,
  contents: ContentIds,
): boolean {
  if (kind === 'link') return hashBlob(Buffer.from(readlinkSync(file)), id.length) === id;
  return kind === 'file' && contents.isSame(path, file, stats, id);
}
