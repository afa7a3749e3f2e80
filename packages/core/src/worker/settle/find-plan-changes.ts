import { type BigIntStats, chmodSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isPlanFile, PLAN_FOLDER } from '@saga-ai/types/plan/plan-paths';
import { type Git, STAY_OUT } from '../../git/git.ts';
import { MACHINE_FOLDERS } from '../../project/paths.ts';
import { foldName } from '../../scope/fold-name.ts';
import { type ContentIds, hashBlob } from './content-ids.ts';

/**
 * Lists the files of the plan that differ from a commit, on disk or in a later commit. Reads the disk
 * as well as git's index: a run can mark a file in the index as unchanged, or hide one with an ignore
 * file.
 */
export async function findPlanChanges(
  git: Git,
  since: string,
  contents: ContentIds,
): Promise<string[]> {
  const onDisk = new Map(listDisk(git.folder).map((it) => [it.path, it]));
  const diff = ['diff', '--name-only', '--no-renames', '--no-relative', STAY_OUT, '-z', since];
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
    // Give signals and timers a turn while a large plan is read.
    if (++looked % FILES_A_TURN === 0) await nextTurn();
  }
  const added = [...onDisk.values()].filter((it) => !before.has(it.path) && isPlan(it));
  const all = [...seenByGit.flat(), ...changed, ...added.map(({ path }) => path)];
  return [...new Set(all)].sort();
}

const FILES_A_TURN = 200;

/** `.saga` in upper or lower case: some disks treat them as the same name. */
const PLAN = `:(icase)${PLAN_FOLDER}`;

/** Maps each path to the git id of its content. */
async function listTree(git: Git, commit: string): Promise<Map<string, string>> {
  const records = await git.paths([
    'ls-tree',
    '-r',
    '-z',
    '--full-tree',
    commit,
    '--',
    PLAN_FOLDER,
  ]);
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
  const tops = readdirSync(root).filter((name) => foldName(name) === PLAN_FOLDER);
  return tops.flatMap((top) => listBelow(root, top));
}

/** Lists links but does not follow them: their targets are not part of the plan. */
function listBelow(root: string, path: string): DiskEntry[] {
  // No file of the plan lies so deep, and a longer path cannot be opened.
  if (MACHINE_STATE.has(path) || path.length > LONGEST) return [];
  const stats = lstatSync(join(root, path), { bigint: true });
  if (stats.isSymbolicLink()) return [{ path, kind: 'link', stats }];
  ensureOpen(join(root, path), Number(stats.mode), stats.isDirectory());
  if (!stats.isDirectory()) return [{ path, kind: stats.isFile() ? 'file' : 'other', stats }];
  return readdirSync(join(root, path)).flatMap((name) => listBelow(root, `${path}/${name}`));
}

const LONGEST = 3000;

/** Restores the owner's permissions: without them a file could not be read or put back. */
function ensureOpen(path: string, mode: number, isFolder: boolean): void {
  const wanted = isFolder ? 0o700 : 0o600;
  if ((mode & wanted) !== wanted) chmodSync(path, mode | wanted);
}

/** Folders with SAGA's own state, which git ignores. */
const MACHINE_STATE = new Set(MACHINE_FOLDERS.map((name) => `${PLAN_FOLDER}/${name}`));

/**
 * Whether an entry is a link or a file that SAGA reads as the plan. Such an entry counts even if git
 * ignores it.
 */
function isPlan({ path, kind }: DiskEntry): boolean {
  return kind === 'link' || isPlanFile(path);
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
