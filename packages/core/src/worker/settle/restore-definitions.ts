import {
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { journalPath } from '@saga-ai/types/plan/plan-paths';
import type { Base } from '../../git/find-base.ts';
import { type Git, isAncestor } from '../../git/git.ts';
import { classifyPlanFile, isTaskIntact } from '../../scope/definitions.ts';
import { ContentIds } from './content-ids.ts';
import { findPlanChanges, PLAN } from './find-plan-changes.ts';

/**
 * Puts back what a run changed in the plan since a commit, committed or not, and commits the result.
 * Keeps a copy of what the run wrote. Returns the paths that were put back.
 */
export async function restoreDefinitions(
  git: Git,
  since: string,
  storyId: string,
  base: Base,
  keepIn: string,
  contents = new ContentIds(storyId),
): Promise<string[]> {
  const restored: string[] = [];
  // Sorted, so that a folder that became a link or a file comes before the files below it.
  for (const path of await findOwnChanges(git, since, base, contents)) {
    const wasFile = (await git.attempt(['cat-file', '-t', `${since}:${path}`])).stdout === 'blob\n';
    const isBelow = restored.some((it) => path.startsWith(`${it}/`));
    if (isBelow ? !wasFile : await isAllowed(git, since, path, storyId)) continue;
    keepAside(join(git.folder, path), join(keepIn, path));
    await putBack(git, since, path, wasFile);
    restored.push(path);
  }
  if (restored.length > 0) await commitPlan(git);
  return restored;
}

/**
 * The run's changes, without those of a newer base that the run merged: putting those back would undo
 * the work of others. If the run forged that base, the gate finds the changes.
 */
async function findOwnChanges(
  git: Git,
  since: string,
  base: Base,
  contents: ContentIds,
): Promise<string[]> {
  const { branch = '', remote } = base;
  const lead = remote === undefined ? 'refs/heads' : `refs/remotes/${remote}`;
  const [changed, tip] = [
    await findPlanChanges(git, since, contents),
    await git.resolve(`${lead}/${branch}`),
  ];
  if (changed.length === 0 || tip === undefined) return changed;
  const isMerged = (await isAncestor(git, tip, 'HEAD')) && !(await isAncestor(git, tip, since));
  if (!isMerged) return changed;
  const unlikeBase = new Set(await findPlanChanges(git, tip, contents));
  return changed.filter((path) => unlikeBase.has(path));
}

async function isAllowed(git: Git, since: string, path: string, storyId: string): Promise<boolean> {
  const ownership = classifyPlanFile(path, storyId);
  if (ownership === 'definition') return false;
  const now = lstatSync(join(git.folder, path), { throwIfNoEntry: false });
  // A link would lead SAGA out of the worktree.
  if (ownership === 'free') return now ? now.isFile() : path !== journalPath(storyId);
  const before = await git.attempt(['show', `${since}:${path}`]);
  const after = now?.isFile() ? readFileSync(join(git.folder, path), 'utf8') : undefined;
  return before.code === 0 && isTaskIntact(before.stdout, after);
}

/** Copies a file. Of a link, keeps only its target as text: a copy of the link would lead there again. */
export function keepAside(path: string, copy: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  mkdirSync(dirname(copy), { recursive: true });
  if (found.isSymbolicLink()) writeFileSync(copy, `a link to ${readlinkSync(path)}\n`);
  else if (found.isFile()) copyFileSync(path, copy);
  else if (found.isDirectory()) cpSync(path, copy, { recursive: true, verbatimSymlinks: true });
}

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

/**
 * Commits only the plan. `git commit <paths>` would fail where a folder became a link, so the index is
 * reset first; what the run had staged is still in its files.
 */
async function commitPlan(git: Git): Promise<void> {
  const isMerging = (await git.resolve('MERGE_HEAD')) !== undefined;
  // A reset would end the merge; its commit will include the plan.
  if (!isMerging) await git.run(['reset', '-q']);
  await git.run(['add', '-A', '--', PLAN]);
  if (isMerging || (await git.attempt(['diff', '--cached', '--quiet'])).code === 0) return;
  const unsigned = (await git.signing()) === 'fails' ? ['--no-gpg-sign'] : [];
  const message = 'saga: put back what a run changed in the plan';
  await git.run(['commit', '--no-verify', '-q', ...unsigned, '-m', message]);
}
