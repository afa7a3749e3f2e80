import { dirname, join } from 'node:path';
import { tickOf, timeOf } from '../../files/change-time.ts';
import { listNames } from '../../files/list-folder.ts';
import { readCheckout } from '../../project/git-files.ts';
import type { Paths } from '../../project/paths.ts';

/** The change times of the files in which git keeps its branches. git is not started for them. */
export interface GitStamp {
  text: string;
  /** False if something changed so recently that another change could have the same time. */
  isSettled: boolean;
}

/**
 * Returns undefined if the project is in no repository. A branch is a file that is replaced, or a
 * line of packed-refs, or in a table: each of these changes the time of a file or folder here.
 */
export function readGitStamp(paths: Paths, base: string | undefined): GitStamp | undefined {
  const checkout = readCheckout(paths.root);
  if (!checkout) return undefined;
  const { gitFolder, common } = checkout;
  const now = Date.now();
  const remotes = join(common, 'refs/remotes');
  const places = [join(common, 'refs/heads')];
  for (const name of listNames(remotes).sort()) places.push(join(remotes, name));
  const files = [
    paths.config,
    join(gitFolder, 'HEAD'),
    join(common, 'config'),
    join(common, 'packed-refs'),
    join(common, 'reftable/tables.list'),
    remotes,
    ...places,
    ...places.map((place) => join(place, 'story')),
    ...places.map((place) => join(place, 'epic')),
    ...(base?.includes('/') ? places.map((place) => dirname(join(place, base))) : []),
  ];
  const times = files.map((file) => timeOf(file));
  return {
    text: `${common} ${times.map((time) => time ?? '-').join(' ')}`,
    isSettled: times.every((time) => time === undefined || now - time > tickOf(time)),
  };
}
