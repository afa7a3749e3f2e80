import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PLAN_FOLDER } from '@saga-ai/types/plan/plan-paths';
import type { Problem } from '@saga-ai/types/words/problem';
import { SagaError } from '../errors.ts';
import { displayPath } from '../project/display-path.ts';
import { listOwnFolders, type Paths } from '../project/paths.ts';

/**
 * A repository can bring links in `.saga`. SAGA follows none of them: a write would end up outside of the
 * project, and a read would show a file that is not the project's.
 */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch {
    // The path is in a folder that this process may not enter. The code that reads the path reports that.
    return false;
  }
}

/** Throws if one of the paths is a link. */
export function refuseLinks(...paths: readonly string[]): void {
  const path = paths.find(isLink);
  if (path === undefined) return;
  const { code, message, hint } = describeLink(path);
  throw new SagaError(code, message, hint);
}

/** Throws if a folder of SAGA's own, the `.saga` around it or anything directly in it is a link. */
export function refuseLinksIn(folder: string): void {
  const around = dirname(folder);
  refuseLinks(...(basename(around) === PLAN_FOLDER ? [around] : []), folder, ...listLinks(folder));
}

/** Lists the links in the places where SAGA writes and where the plan is. */
export function findOwnLinks(paths: Paths): Problem[] {
  const { root, saga, stories, epics, archive, cache } = paths;
  const own = [...listOwnFolders(paths), cache];
  const found = [saga, stories, epics, archive, ...own].filter(isLink);
  const inside = own.filter((it) => !isLink(it)).flatMap(listLinks);
  return [...found, ...inside].map((path) => describeLink(displayPath(root, path)));
}

export function describeLink(file: string): Problem & { code: 'tracked-link' } {
  return {
    code: 'tracked-link',
    message: `${file} is a link. SAGA does not follow links there.`,
    hint: `See where it leads: ls -l ${file}. Then replace it by what belongs there, or remove it: rm ${file}`,
    file,
  };
}

function listLinks(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map(({ name }) => join(folder, name));
  } catch {
    // The folder does not exist yet, or may not be read; the code that uses it reports that.
    return [];
  }
}
