import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '../../git/git.ts';
import { foldName } from '../../scope/fold-name.ts';

/**
 * Which files of the plan differ from a commit: on disk, or in a later commit. The disk is read and
 * not git's index alone, for a run can tell the index to overlook a file, and an ignore file to hide one.
 */
export async function findPlanChanges(git: Git, since: string): Promise<string[]> {
  const onDisk = new Map(listDisk(git.folder).map((it) => [it.path, it]));
  const diff = ['diff', '--name-only', '--no-renames', '--no-relative', '-z', since];
  const [before, ...seenByGit] = await Promise.all([
    listTree(git, since),
    git.paths([...diff, 'HEAD', '--', PLAN]),
    git.paths([...diff, '--', PLAN]),
    git.paths(['ls-files', '-o', '--exclude-standard', '-z', '--', PLAN]),
  ]);
  const changed = [...before].filter(([path, id]) => {
    const entry = onDisk.get(path);
    return !entry || !isSame(join(git.folder, path), entry, id);
  });
  const added = [...onDisk.values()].filter((it) => !before.has(it.path) && isPlan(it));
  return [
    ...new Set([
      ...seenByGit.flat(),
      ...changed.map(([path]) => path),
      ...added.map(({ path }) => path),
    ]),
  ].sort();
}

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
}

function listDisk(root: string): DiskEntry[] {
  const tops = readdirSync(root).filter((name) => foldName(name) === '.saga');
  return tops.flatMap((top) => listBelow(root, top));
}

/** Links are listed and not followed: what lies behind them is not the plan's. */
function listBelow(root: string, path: string): DiskEntry[] {
  if (MACHINE_STATE.has(path)) return [];
  const found = lstatSync(join(root, path));
  if (found.isSymbolicLink()) return [{ path, kind: 'link' }];
  ensureOpen(join(root, path), found.mode, found.isDirectory());
  if (!found.isDirectory()) return [{ path, kind: found.isFile() ? 'file' : 'other' }];
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

function isSame(path: string, { kind }: DiskEntry, id: string): boolean {
  if (kind === 'link') return hashBlob(Buffer.from(readlinkSync(path)), id) === id;
  if (kind === 'other') return false;
  const content = readFileSync(path);
  if (hashBlob(content, id) === id) return true;
  // git may have been told to write line ends of another system.
  const text = content.toString('latin1').replaceAll('\r\n', '\n');
  return text.length < content.length && hashBlob(Buffer.from(text, 'latin1'), id) === id;
}

function hashBlob(content: Buffer, { length }: string): string {
  const hash = createHash(length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex');
}
