import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isInStory } from '@saga-ai/types/plan/plan-paths';
import { moveBranch } from '../git/branches.ts';
import { type Git, isAncestor, listWorktrees } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { formatUpdateTrash } from '../git/refs/trash-refs.ts';
import { listUncommitted } from '../git/uncommitted.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import { quote } from '../project/quote.ts';
import { keepUncommitted } from './keep-uncommitted.ts';

/** What happened to the local branch of the base after a merge. */
export type Forwarded =
  /** The branch now has the merge. `folder` is the checkout of the branch, if there is one. */
  | { kind: 'forwarded'; folder?: string }
  /** There is no local branch of that name. */
  | { kind: 'absent' }
  /** The branch was not moved. `command` brings it up to date as soon as the checkout is clean. */
  | { kind: 'left'; why: string; isDirty: boolean; command: string };

/**
 * Moves the local branch forward to a commit. If the branch is checked out, its files follow, unless that would touch
 * changes that nobody committed. Only uncommitted plan files of the landed stories are replaced, and they are kept in
 * the trash.
 */
export async function forwardBase(
  git: Git,
  branch: string,
  commit: string,
  stories: readonly string[],
): Promise<Forwarded> {
  const here = await git.resolve(`refs/heads/${branch}`);
  if (here === undefined) return { kind: 'absent' };
  const place = (await listWorktrees(git)).find((it) => it.branch === branch && !it.prunable);
  const at = place ? `git -C ${quote(place.path)}` : 'git';
  const command = `${at} merge --ff-only ${commit.slice(0, 12)}`;
  const leave = (why: string, isDirty = false): Forwarded => ({
    ...{ kind: 'left', why, isDirty },
    command,
  });
  if (here === commit) {
    return { kind: 'forwarded', folder: place ? place.path : undefined };
  }
  if (!(await isAncestor(git, here, commit))) {
    return leave(`${branch} has commits of its own here`);
  }
  if (!place) {
    if (await moveBranch(git, branch, commit, here)) return { kind: 'forwarded' };
    return leave(`${branch} was moved by somebody else`);
  }
  const inside = openPlainGit(place.path, git.env);
  const aside = await setPlanAside(inside, stories);
  const moved = await inside.attempt(['merge', '-q', '--ff-only', commit]);
  if (moved.code === 0) return { kind: 'forwarded', folder: place.path };
  await aside.putBack();
  const isDirty = (await listUncommitted(inside)).length > 0;
  const why = `${place.path} has changes that nobody committed, and the merge would touch them`;
  return isDirty ? leave(why, true) : leave(describeFailure(moved));
}

/**
 * Puts uncommitted plan files of a landed story in the main checkout out of the way. The merged copy is newer, and git
 * would refuse to overwrite the uncommitted one.
 */
async function setPlanAside(
  git: Git,
  stories: readonly string[],
): Promise<{ putBack(): Promise<void> }> {
  const nothing = { putBack: async () => {} };
  const changed = await listUncommitted(git);
  const paths = changed.filter((path) => stories.some((id) => isInStory(path, id)));
  if (paths.length === 0) return nothing;
  const ref = formatUpdateTrash(stories[0] ?? '', Date.now());
  await keepUncommitted(git, {
    ref,
    message: 'saga: plan in the main checkout before a merge',
    paths,
  });
  const tracked = new Set(await git.paths(['ls-tree', '-r', '--name-only', '-z', 'HEAD']));
  const literal = (some: readonly string[]) => some.map((path) => `:(top,literal)${path}`);
  const known = paths.filter((path) => tracked.has(path));
  if (known.length > 0)
    await git.run(['restore', '--staged', '--worktree', '--', ...literal(known)]);
  for (const path of paths.filter((it) => !tracked.has(it))) {
    await git.attempt(['rm', '-q', '--cached', '--ignore-unmatch', '--', ...literal([path])]);
    rmSync(join(git.folder, path), { force: true });
  }
  return {
    async putBack() {
      const kept = new Set(await git.paths(['ls-tree', '-r', '--name-only', '-z', ref]));
      const there = paths.filter((path) => kept.has(path));
      const args = ['restore', `--source=${ref}`, '--worktree', '--'];
      if (there.length > 0) await git.run([...args, ...literal(there)]);
      for (const path of paths.filter((it) => !kept.has(it))) {
        if (existsSync(join(git.folder, path))) rmSync(join(git.folder, path));
      }
    },
  };
}
