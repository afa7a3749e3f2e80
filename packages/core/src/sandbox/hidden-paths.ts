import { lstatSync } from 'node:fs';
import { join, sep } from 'node:path';
import { listEntries } from '../files/list-folder.ts';
import { resolveReal } from '../project/resolve-real.ts';

/** A file or folder that looks empty to a command. */
export interface HiddenPath {
  path: string;
  isFolder: boolean;
}

/**
 * Finds what really has to be hidden, by real paths. Many people keep such files elsewhere, with links in their place:
 * hiding the link would show the file where it is. Also the targets of links inside a hidden folder are hidden, if they
 * are in the home folder and none of the `needed` paths is in them.
 */
export function findHidden(
  paths: readonly string[],
  homeFolder: string,
  needed: readonly string[],
): HiddenPath[] {
  const isOfPerson = (path: string) =>
    isBelow(path, homeFolder) && !needed.some((it) => it === path || isBelow(it, path));
  const given = paths.flatMap(toReal);
  const linked = given.flatMap((path) => listLinks(path).flatMap(toReal).filter(isOfPerson));
  const all = [...new Set([...given, ...linked])];
  // What is in a hidden folder is hidden with it.
  return all.filter((path) => !all.some((it) => isBelow(path, it))).flatMap(describe);
}

/** The links in a folder and in the folders in it. Managers of such files make them no deeper. */
function listLinks(folder: string, depth = 2): string[] {
  return listEntries(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return [path];
    return entry.isDirectory() && depth > 1 ? listLinks(path, depth - 1) : [];
  });
}

function toReal(path: string): string[] {
  try {
    return [resolveReal(path)];
  } catch {
    // Links that lead round in a circle lead no run to a file either.
    return [];
  }
}

function describe(path: string): HiddenPath[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return [{ path, isFolder: true }];
  return found?.isFile() ? [{ path, isFolder: false }] : [];
}

export const isBelow = (path: string, folder: string) => path.startsWith(`${folder}${sep}`);
