import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** What git's files say about a checkout. Read without starting git, because every command needs it. */
export interface Checkout {
  /** git's own folder for this checkout. */
  gitFolder: string;
  /** The folder that all checkouts of the repository share. */
  common: string;
  /** True if the checkout was made by `git worktree add`. */
  isLinked: boolean;
}

/** Returns undefined if the folder is not the top of a checkout, or if its repository is missing. */
export function readCheckout(folder: string): Checkout | undefined {
  const link = join(folder, '.git');
  const found = statIfThere(link);
  if (!found) return undefined;
  if (found.isDirectory()) return { gitFolder: link, common: link, isLinked: false };
  const gitFolder = readLink(link);
  if (gitFolder === undefined || !statIfThere(gitFolder)) return undefined;
  const [common] = readLines(join(gitFolder, 'commondir'));
  // A submodule, or a repository whose .git is elsewhere, has a link too but no shared folder.
  if (common === undefined) return { gitFolder, common: gitFolder, isLinked: false };
  return { gitFolder, common: resolve(gitFolder, common), isLinked: true };
}

/**
 * Returns the folder that stands for the repository, whichever of its checkouts `root` is: its main checkout, or the
 * bare repository. Of one that is hidden, as `shop/.bare`, that is the folder around it.
 */
export function findMainPlace(root: string): string {
  const checkout = readCheckout(root);
  if (!checkout?.isLinked) return root;
  const { common } = checkout;
  return readWorkTree(common) ?? (basename(common).startsWith('.') ? dirname(common) : common);
}

/** Returns the main checkout of the repository; of a bare one, which has none, the checkout itself. */
export function findMainCheckout(root: string): string {
  const checkout = readCheckout(root);
  return !checkout?.isLinked || isBare(checkout.common) ? root : findMainPlace(root);
}

/** Whether a git folder says of itself that it has no main checkout. */
const isBare = (common: string): boolean =>
  readLines(join(common, 'config')).some((it) => /^\s*bare\s*=\s*true\s*$/i.test(it));

/** Returns the checkout of a submodule, which git's folder of the submodule names. */
function readWorkTree(common: string): string | undefined {
  const lines = readLines(join(common, 'config')).map((it) => /^\s*worktree = (.+)$/.exec(it)?.[1]);
  const path = lines.find((it) => it !== undefined);
  return path === undefined ? undefined : resolve(common, path);
}

/** Returns the target of a `.git` file, whether or not the target exists. */
export function readLink(link: string): string | undefined {
  const target = parseLink(readLines(link)[0] ?? '');
  return target === undefined ? undefined : resolve(dirname(link), target);
}

/** Returns the folder that the text of a `.git` file names, as it stands there: it may be relative. */
export const parseLink = (text: string): string | undefined => /^gitdir: (.+)/.exec(text)?.[1];
export const formatLink = (gitFolder: string): string => `gitdir: ${gitFolder}\n`;

/** Returns the branch of a checkout, or undefined if HEAD is detached or not written yet. */
export function readBranch(gitFolder: string): string | undefined {
  return /^ref: refs\/heads\/(.+)/.exec(readLines(join(gitFolder, 'HEAD'))[0] ?? '')?.[1];
}

/** Whether git leaves files of the checkout out of it (`git sparse-checkout`). */
export function isSparse(folder: string): boolean {
  const checkout = readCheckout(folder);
  if (!checkout) return false;
  const files = [join(checkout.common, 'config'), join(checkout.gitFolder, 'config.worktree')];
  return files.flatMap(readLines).some((line) => /^\s*sparseCheckout\s*=\s*true\s*$/i.test(line));
}

/** Returns the lines of a small file, or [] if it is missing or cannot be read. */
export function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    // A file that cannot be read says nothing about a worktree.
    return [];
  }
}

/** Returns undefined if the path is missing or may not be read. */
export function statIfThere(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Whether a path exists. A path that may not be read counts as existing: another copy must not pass
 * for the live one.
 */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}
