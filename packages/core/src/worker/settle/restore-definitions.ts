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
import type { Base } from '../../git/find-base.ts';
import { type Git, isAncestor } from '../../git/git.ts';
import { classifyPlanFile, isTaskIntact } from '../../scope/definitions.ts';
import { ContentIds } from './content-ids.ts';
import { findPlanChanges, PLAN } from './find-plan-changes.ts';

/**
 * Puts back what a run changed in the plan since a commit, committed or not, and commits that. What
 * it had written is kept aside, so that nothing is lost. Says which files those were.
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
  // Sorted, a folder that became a link or a file comes before what has to be put back below it.
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
 * Without what came with a newer base that the run merged: to put that back would take from others
 * what they have written since. Should the run have made that base up, the gate finds it changed.
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
  // A link would lead readers and writers of the story out of the worktree.
  if (ownership === 'free') return now === undefined || now.isFile();
  const before = await git.attempt(['show', `${since}:${path}`]);
  const after = now?.isFile() ? readFileSync(join(git.folder, path), 'utf8') : undefined;
  return before.code === 0 && isTaskIntact(before.stdout, after);
}

/** Of a link, only where it led: a copy of it would lead there again. */
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
 * Not as a commit of some paths, which git refuses where a folder had become a link. So the index is
 * emptied of all else first: what a run had staged there is still in its files.
 */
async function commitPlan(git: Git): Promise<void> {
  const isMerging = (await git.resolve('MERGE_HEAD')) !== undefined;
  // Emptied, the index would forget the merge; its end will carry the plan along.
  if (!isMerging) await git.run(['reset', '-q']);
  await git.run(['add', '-A', '--', PLAN]);
  if (isMerging || (await git.attempt(['diff', '--cached', '--quiet'])).code === 0) return;
  const unsigned = (await git.signing()) === 'fails' ? ['--no-gpg-sign'] : [];
  const message = 'saga: put back what a run changed in the plan';
  await git.run(['commit', '--no-verify', '-q', ...unsigned, '-m', message]);
}
