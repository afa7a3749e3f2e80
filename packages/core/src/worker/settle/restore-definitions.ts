import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isInStory, journalPath } from '@saga-ai/types/plan/plan-paths';
import { SagaError } from '../../errors.ts';
import { type Git, isAncestor } from '../../git/git.ts';
import { classifyPlanFile, isTaskIntact } from '../../scope/definitions.ts';
import { ContentIds, hashBlob } from './content-ids.ts';
import { findPlanChanges } from './find-plan-changes.ts';

/**
 * Puts back what a run changed in the plan since a commit, committed or not, and commits the result.
 * Keeps a copy of what the run wrote. Returns the paths that were put back.
 */
export async function restoreDefinitions(
  git: Git,
  since: string,
  storyId: string,
  /** Returns the tip of the base, as the remote or, without one, this repository has it now. */
  findTip: () => Promise<string | undefined>,
  keepIn: string,
  contents = new ContentIds(storyId),
): Promise<string[]> {
  const restored = new Map<string, Blob | undefined>();
  // Sorted, so that a folder that became a link or a file comes before the files below it.
  for (const path of await findOwnChanges(git, since, storyId, findTip, contents)) {
    const was = await findBlob(git, since, path);
    const isBelow = [...restored.keys()].some((it) => path.startsWith(`${it}/`));
    if (isBelow ? !was : await isAllowed(git, since, path, storyId)) continue;
    keepAside(join(git.folder, path), join(keepIn, path));
    await writeBlob(git, path, was);
    restored.set(path, was);
  }
  if (restored.size > 0) await commitPlan(git, since, restored);
  return [...restored.keys()];
}

/**
 * The run's changes, without those of a newer base that the run merged: putting those back would undo
 * the work of others. The story's own folder is never left out: a worker works by it.
 */
async function findOwnChanges(
  git: Git,
  since: string,
  storyId: string,
  findTip: () => Promise<string | undefined>,
  contents: ContentIds,
): Promise<string[]> {
  const changed = await findPlanChanges(git, since, contents);
  const isOwn = (path: string) => isInStory(path, storyId);
  if (changed.every(isOwn)) return changed;
  const tip = await findTip();
  if (tip === undefined) return changed;
  const isMerged = (await isAncestor(git, tip, 'HEAD')) && !(await isAncestor(git, tip, since));
  if (!isMerged) return changed;
  const unlikeBase = new Set(await findPlanChanges(git, tip, contents));
  return changed.filter((path) => isOwn(path) || unlikeBase.has(path));
}

async function isAllowed(git: Git, since: string, path: string, storyId: string): Promise<boolean> {
  const ownership = classifyPlanFile(path, storyId);
  if (ownership === 'definition') return false;
  const now = lstatSync(join(git.folder, path), { throwIfNoEntry: false });
  // A link is not followed, because it would lead SAGA out of the worktree.
  if (ownership === 'free') return now ? now.isFile() : path !== journalPath(storyId);
  const before = await git.attempt(['show', `${since}:${path}`]);
  const after = now?.isFile() ? readFileSync(join(git.folder, path), 'utf8') : undefined;
  return before.code === 0 && isTaskIntact(before.stdout, after);
}

/** Copies a file. For a link, writes its target as text, because a copy of the link would lead there again. */
export function keepAside(path: string, copy: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  mkdirSync(dirname(copy), { recursive: true });
  if (found.isSymbolicLink()) writeFileSync(copy, `a link to ${readlinkSync(path)}\n`);
  else if (found.isFile()) copyFileSync(path, copy);
  else if (found.isDirectory()) cpSync(path, copy, { recursive: true, verbatimSymlinks: true });
}

/** Puts a file of the code back, as a checkout writes it. */
export async function putBack(
  git: Git,
  since: string,
  path: string,
  wasFile: boolean,
): Promise<void> {
  rmSync(join(git.folder, path), { recursive: true, force: true });
  if (!wasFile) await git.run(['update-index', '--force-remove', '--', path]);
  else await git.run(['checkout', '-q', since, '--', `:(literal)${path}`]);
}

/** A file as a commit has it. */
interface Blob {
  mode: string;
  id: string;
}

async function findBlob(git: Git, commit: string, path: string): Promise<Blob | undefined> {
  const listed = await git.run(['ls-tree', '-z', '--full-tree', commit, '--', path]);
  const [, mode, id] = /^(\d+) blob (\w+)\t/.exec(listed) ?? [];
  return mode === undefined || id === undefined ? undefined : { mode, id };
}

/**
 * Writes a file of the plan byte for byte as git keeps it, or removes it. A checkout would apply filters,
 * and a run may have named one. What was written is read again.
 */
async function writeBlob(git: Git, path: string, blob: Blob | undefined): Promise<void> {
  const file = join(git.folder, path);
  rmSync(file, { recursive: true, force: true });
  if (!blob) return;
  mkdirSync(dirname(file), { recursive: true });
  const temp = join(git.folder, await git.run(['unpack-file', blob.id]));
  if (blob.mode === LINK_MODE) {
    symlinkSync(readFileSync(temp, 'utf8'), file);
    rmSync(temp);
    return;
  }
  chmodSync(temp, blob.mode === '100755' ? 0o755 : 0o644);
  renameSync(temp, file);
  requireSame(path, hashBlob(readFileSync(file), blob.id.length), blob.id);
}

const LINK_MODE = '120000';

/**
 * Commits only what was put back, by its blobs. `git commit <paths>` would fail where a folder became a
 * link, so the index is reset first; what the run had staged is still in its files.
 */
async function commitPlan(
  git: Git,
  since: string,
  restored: ReadonlyMap<string, Blob | undefined>,
): Promise<void> {
  const isMerging = (await git.resolve('MERGE_HEAD')) !== undefined;
  // A reset would end the merge; its commit will include the plan.
  if (!isMerging) await git.run(['reset', '-q']);
  const none = '0'.repeat(since.length);
  // Removals first: a link makes way for the folder that it replaced.
  const sorted = [...restored].sort(
    ([, a], [, b]) => Number(a !== undefined) - Number(b !== undefined),
  );
  const input = sorted
    .map(([path, blob]) => (blob ? `${blob.mode} ${blob.id}\t${path}\0` : `0 ${none}\t${path}\0`))
    .join('');
  await git.run(['update-index', '--add', '--replace', '-z', '--index-info'], { input });
  if (isMerging || (await git.attempt(['diff', '--cached', '--quiet'])).code === 0) return;
  const unsigned = (await git.signing()) === 'fails' ? ['--no-gpg-sign'] : [];
  const message = 'saga: put back what a run changed in the plan';
  await git.run(['commit', '--no-verify', '-q', ...unsigned, '-m', message]);
  for (const [path, blob] of restored) {
    if (blob) requireSame(path, (await findBlob(git, 'HEAD', path))?.id, blob.id);
  }
}

function requireSame(path: string, found: string | undefined, wanted: string): void {
  if (found === wanted) return;
  throw new SagaError(
    'git-failed',
    `${path} was put back after a run, but has changed again: another program writes to it.`,
    'Look for a program that a run left behind, and at .git/config and .git/info. Then run the story again.',
  );
}
