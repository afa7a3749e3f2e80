import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFolder } from '../files/ensure-folder.ts';
import { removeTree } from '../files/remove-tree.ts';
import type { Environment } from '../processes/run.ts';
import { type Git, withSettings } from './git.ts';
import { openPlainGit } from './plain-git.ts';
import { formatPackedRefs } from './read-refs.ts';

/** What a folder of git of SAGA's own is made of. */
export interface OwnGitRequest {
  /** The folder to write. An index that is in it already is kept. */
  folder: string;
  /** The repository whose objects and branches it shows. */
  from: Git;
  branch: string;
  head: string;
}

/**
 * Writes a folder of git of SAGA's own beside a repository. It uses the repository's objects, and has its
 * branches, tags and the addresses of its remotes. It has nothing else of what a run may have written there:
 * no hooks, no filters, no attributes, no ignore rules, no replaced objects.
 */
export async function saveOwnGit({ folder, from, branch, head }: OwnGitRequest): Promise<void> {
  const common = await from.run(['rev-parse', '--path-format=absolute', '--git-common-dir']);
  ensureFolder(join(folder, 'objects/info'), 0o700);
  // An earlier checkout, perhaps a killed one, may have left these.
  for (const name of ['refs', 'index.lock']) removeTree(join(folder, name));
  mkdirSync(join(folder, 'refs'));
  const [settings, refs] = await Promise.all([readSettings(from), listRefs(from)]);
  refs.set(`refs/heads/${branch}`, head);
  writeFileSync(join(folder, 'packed-refs'), formatPackedRefs([...refs]));
  writeFileSync(join(folder, 'config'), settings);
  writeFileSync(join(folder, 'objects/info/alternates'), `${join(common, 'objects')}\n`);
  if (existsSync(join(common, 'shallow'))) {
    copyFileSync(join(common, 'shallow'), join(folder, 'shallow'));
  }
  writeFileSync(join(folder, 'HEAD'), `ref: refs/heads/${branch}\n`);
}

/** git with a folder of SAGA's own, for the files of any checkout. */
export function openOwnGit(folder: string, checkout: string, env: Environment): Git {
  const own = [`--git-dir=${folder}`, `--work-tree=${checkout}`];
  const git = openPlainGit(checkout, {
    ...withSettings(env, [
      ['core.excludesFile', '/dev/null'],
      ['gc.auto', '0'],
      ['core.logAllRefUpdates', 'false'],
    ]),
    GIT_NO_REPLACE_OBJECTS: '1',
  });
  return {
    ...git,
    run: (args, options) => git.run([...own, ...args], options),
    attempt: (args, options) => git.attempt([...own, ...args], options),
    paths: (args, options) => git.paths([...own, ...args], options),
  };
}

/** How the files are written, where the remotes are, and who commits. No setting that names a program. */
const TAKEN =
  '^(core\\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol)|extensions\\.(objectformat|partialclone)|remote\\..*\\.(url|fetch|promisor|partialclonefilter)|branch\\..*\\.(remote|merge)|user\\.(name|email))$';

/** Reads the settings of a repository whose keys match a pattern, as the text of a settings file. */
export async function readSettings(git: Git, pattern = TAKEN): Promise<string> {
  const { stdout } = await git.attempt(['config', '--local', '-z', '--get-regexp', pattern]);
  const taken = stdout.split('\0').filter(Boolean).map(formatSetting);
  return `[core]\n\trepositoryformatversion = 1\n\tbare = false\n${taken.join('')}`;
}

function formatSetting(entry: string): string {
  const end = entry.indexOf('\n');
  const [key, value] = end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  const section = key.slice(0, first);
  const named = first === last ? '' : ` ${quote(key.slice(first + 1, last))}`;
  return `[${section}${named}]\n\t${key.slice(last + 1)} = ${quote(value)}\n`;
}

const quote = (text: string) =>
  `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;

/** Branches and tags by name, with their commits. A symbolic ref becomes the commit that it leads to. */
async function listRefs(git: Git): Promise<Map<string, string>> {
  const kinds = ['refs/heads', 'refs/tags', 'refs/remotes'];
  const text = await git.run(['for-each-ref', '--format=%(refname) %(objectname)', ...kinds]);
  const lines = text.split('\n').filter(Boolean);
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}
