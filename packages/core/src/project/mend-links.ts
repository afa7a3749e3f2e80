import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { toWriteError } from '../errors.ts';
import { isFolder } from './find-project.ts';
import { formatLink, parseLink } from './git-files.ts';
import { toReal } from './resolve-real.ts';

/** `foreign`: something else is in the place of the worktree, or another worktree has its entry. */
export type Links = 'whole' | 'mended' | 'foreign';

/**
 * Repairs the links between the worktree and its repository. They are absolute paths, which become
 * wrong when the project is moved. `git worktree repair` would repair all worktrees; in a copied
 * project it would give the original's worktrees to the copy. So only the two files of this worktree
 * are written. Both paths must be real ones.
 */
export function mendLinks(common: string, folder: string, branch: string): Links {
  const link = join(folder, '.git');
  const target = readLink(link, folder);
  if (target === 'foreign') return 'foreign';
  const admin = target === undefined ? findAdmin(common, link) : ownAdmin(common, target);
  if (admin === undefined) return 'foreign';
  const back = readText(join(admin, 'gitdir'));
  const other = back === undefined ? undefined : toReal(resolve(admin, back));
  if (target === admin && other === link) return 'whole';
  const isOfBranch = readText(join(admin, 'HEAD')) === `ref: refs/heads/${branch}`;
  const isTaken = other !== undefined && other !== link && existsSync(other);
  if (!isOfBranch || isTaken) return 'foreign';
  try {
    writeFileSync(link, formatLink(admin));
    writeFileSync(join(admin, 'gitdir'), `${link}\n`);
  } catch (error) {
    throw toWriteError(error, folder);
  }
  return 'mended';
}

/**
 * Returns undefined if there is no link. A folder in its place belongs to another repository, so it is
 * foreign.
 */
function readLink(link: string, folder: string): string | 'foreign' | undefined {
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (!there) return undefined;
  const text = there.isFile() ? (readText(link) ?? '') : '';
  const target = parseLink(text);
  // git takes all of the text for the path, so a second line is not a link either.
  if (target === undefined || text !== formatLink(target).trimEnd()) return 'foreign';
  return toReal(resolve(folder, target));
}

/**
 * Returns this repository's folder for the worktree, or undefined if the link leads to another
 * repository.
 */
function ownAdmin(common: string, target: string): string | undefined {
  const admin = join(common, 'worktrees', basename(target));
  if (target !== admin && existsSync(target)) return undefined;
  return isFolder(admin) ? admin : undefined;
}

function findAdmin(common: string, link: string): string | undefined {
  const all = join(common, 'worktrees');
  if (!isFolder(all)) return undefined;
  const name = readdirSync(all).find((it) => readText(join(all, it, 'gitdir')) === link);
  return name === undefined ? undefined : join(all, name);
}

const readText = (file: string) =>
  existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : undefined;
