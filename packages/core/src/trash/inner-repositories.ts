import { copyFileSync, existsSync, lstatSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { SagaError } from '../errors.ts';
import { readIfReadable } from '../files/read-text.ts';
import { listNested } from '../git/git.ts';
import { openOwnGit } from '../git/own-git.ts';
import { readRefs } from '../git/read-refs.ts';
import { hasInnerChanges, type Inner, openInner } from '../git/uncommitted.ts';
import type { Environment } from '../processes/run.ts';
import { readCheckout, readLines, readLink } from '../project/git-files.ts';
import { quote } from '../project/quote.ts';
import { toReal } from '../project/resolve-real.ts';

/** A checkout that has other repositories in it. */
export interface Outer {
  folder: string;
  /** git's own folder for the worktree. The git folders of its submodules are below it. */
  gitFolder: string;
  /** The same folder in the main checkout. */
  root: string;
  env: Environment;
}

/** A repository inside a worktree whose work would be lost with the worktree. */
export interface Unkept {
  folder: string;
  /** `foreign`: it is not a submodule of the worktree, so SAGA cannot tell where else its commits are. */
  why: 'foreign' | 'changed' | 'unpushed';
}

/**
 * Finds a repository inside a worktree whose work would be lost if the worktree were removed. A submodule loses nothing
 * if its files are those of its commit, and if its commits are on its remote or in the same submodule of the main
 * checkout. It is not enough that the story's branch names the commit, because only the submodule has the commit
 * itself.
 */
export async function findUnkept(
  outer: Outer,
  nested: readonly string[],
): Promise<Unkept | undefined> {
  for (const path of nested) {
    const folder = join(outer.folder, path);
    // A submodule that is not checked out.
    if (!lstatSync(join(folder, '.git'), { throwIfNoEntry: false })) continue;
    const found = await lookInto({ ...outer, folder, root: join(outer.root, path) });
    if (found) return found;
  }
  return undefined;
}

export function describeUnkept(worktree: string, { folder, why }: Unkept): SagaError {
  const its = `${folder} is a repository of its own`;
  if (why === 'foreign') {
    return new SagaError(
      'git-failed',
      `${its}, so its files cannot be kept with the story.`,
      `Move it out of the worktree, or remove it if nothing in it is needed: rm -r ${quote(folder)}`,
    );
  }
  const inside = `git -C ${quote(folder)}`;
  const drop = `git -C ${quote(worktree)} submodule deinit -f ${quote(relative(worktree, folder))}`;
  return why === 'changed'
    ? new SagaError(
        'git-failed',
        `${its} with uncommitted changes, which cannot be kept with the story.`,
        `Commit and push them there (${inside} status), or remove the submodule if nothing in it is needed: ${drop}`,
      )
    : new SagaError(
        'git-failed',
        `${its} with commits that were not pushed, which cannot be kept with the story.`,
        `Push them (${inside} push origin HEAD:refs/heads/<branch>), or remove the submodule if nothing in it is needed: ${drop}`,
      );
}

async function lookInto(place: Outer): Promise<Unkept | undefined> {
  const { folder, env } = place;
  const gitFolder = findModule(place);
  if (gitFolder === undefined) return { folder, why: 'foreign' };
  // Both folders are named explicitly, because the submodule's settings name its old place once the worktree was moved.
  using inner = await openInner(openOwnGit(gitFolder, folder, env));
  if (!inner) return { folder, why: 'foreign' };
  if ((await hasInnerChanges(inner)) || (await isStaged(inner, gitFolder)))
    return { folder, why: 'changed' };
  if (!(await isElsewhere(inner, gitFolder, place))) return { folder, why: 'unpushed' };
  return findUnkept(place, await listNested(inner.git));
}

/** Returns the git folder of a submodule of the worktree; undefined for any other repository. */
function findModule({ folder, gitFolder }: Outer): string | undefined {
  const link = join(folder, '.git');
  const target = lstatSync(link).isFile() ? readLink(link) : undefined;
  if (target === undefined) return undefined;
  const modules = join(toReal(gitFolder), 'modules');
  // If the repository was moved, the link still leads to its old place.
  const [, name] = target.split(`/worktrees/${basename(gitFolder)}/modules/`);
  const found = existsSync(target) || name === undefined ? target : join(modules, name);
  const real = existsSync(found) ? toReal(found) : '';
  return real.startsWith(`${modules}/`) ? real : undefined;
}

/** Whether something is staged that is neither in the commit nor in the files. */
async function isStaged({ git, own }: Inner, gitFolder: string): Promise<boolean> {
  const index = join(own, 'index-there');
  if (!existsSync(join(gitFolder, 'index'))) return false;
  copyFileSync(join(gitFolder, 'index'), index);
  return (await git.attempt(['diff-index', '--cached', '--quiet', 'HEAD'], { index })).code !== 0;
}

/**
 * Whether every commit of a submodule is on its remote, as far as the submodule knows, or in the same submodule
 * of the main checkout.
 */
async function isElsewhere(inner: Inner, gitFolder: string, outer: Outer): Promise<boolean> {
  const { git, own, commit } = inner;
  const main = findInMain(outer);
  const shallow = readLines(join(gitFolder, 'shallow'));
  const [refs, others] = await Promise.all([
    readRefs(git, gitFolder),
    main === undefined ? new Map<string, string>() : readRefs(git, main),
  ]);
  if (main !== undefined) {
    const alternates = join(own, 'objects/info/alternates');
    const objects = `${readIfReadable(alternates) ?? ''}${join(main, 'objects')}\n`;
    writeFileSync(alternates, objects);
    shallow.push(...readLines(join(main, 'shallow')));
  }
  if (shallow.length > 0) writeFileSync(join(own, 'shallow'), `${shallow.join('\n')}\n`);
  const valuesOf = (pattern: RegExp) =>
    [...refs].filter(([ref]) => pattern.test(ref)).map(([, value]) => value);
  const tips = [commit, ...valuesOf(/^refs\/(heads\/|stash$)/)];
  // A history is cut off only at commits that came from a remote.
  const known = [
    ...[...shallow, ...valuesOf(/^refs\/remotes\//), ...others.values()],
    ...(main === undefined ? [] : readLines(join(main, 'HEAD'))),
  ];
  const input = [...tips.filter(isCommit), ...known.filter(isCommit).map((it) => `^${it}`)];
  const args = ['rev-list', '--max-count=1', '--ignore-missing', '--stdin'];
  const only = await git.attempt(args, { input: `${input.join('\n')}\n` });
  return only.code === 0 && only.stdout.trim() === '';
}

/** Finds the git folder of the same submodule in the main checkout, which stays when the worktree is removed. */
function findInMain({ root, gitFolder }: Outer): string | undefined {
  const found = readCheckout(root)?.gitFolder;
  if (found === undefined) return undefined;
  const real = toReal(found);
  return real.startsWith(`${toReal(gitFolder)}/`) ? undefined : real;
}

const isCommit = (value: string) => /^[0-9a-f]{40,64}$/.test(value);
