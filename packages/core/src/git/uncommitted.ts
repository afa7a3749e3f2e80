import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../files/remove-tree.ts';
import { statIfThere } from '../project/git-files.ts';
import { type Git, listNested, STAY_OUT } from './git.ts';
import { openOwnGit, readSettings } from './own-git.ts';
import { openPlainGit } from './plain-git.ts';

/** Lists files with uncommitted changes, including new files, without ignored ones. */
export async function listUncommitted(git: Git): Promise<string[]> {
  const [files, nested] = await Promise.all([listChangedFiles(git), listNested(git)]);
  const changed: string[] = [];
  for (const path of nested) {
    if (!files.includes(path) && (await hasChanges(join(git.folder, path), git)))
      changed.push(path);
  }
  return [...files, ...changed];
}

async function listChangedFiles(git: Git): Promise<string[]> {
  const records = await git.paths([
    '--no-optional-locks',
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    STAY_OUT,
  ]);
  return records.map((record) => record.slice(3));
}

async function hasChanges(folder: string, { env }: Git): Promise<boolean> {
  using inner = await openInner(openPlainGit(folder, env));
  // A submodule that is not checked out has no changes.
  return inner !== undefined && (await hasInnerChanges(inner));
}

/** A folder of git of SAGA's own beside the objects of a repository inside the checkout. */
export interface Inner extends Disposable {
  git: Git;
  /** The path of SAGA's own folder of git. */
  own: string;
  /** The commit that the repository is at. */
  commit: string;
}

/**
 * Opens a repository inside the checkout. Its own folder of git may name filters and other programs, so its
 * files and commits are looked at with a folder of SAGA's own. Returns undefined if no commit is checked out.
 */
export async function openInner(there: Git): Promise<Inner | undefined> {
  const ask = ['--path-format=absolute', '--git-path', 'objects', '--git-path', 'info/exclude'];
  const asked = await there.attempt(['rev-parse', ...ask, '--show-object-format', 'HEAD']);
  const [objects = '', exclude = '', format = '', commit = ''] = asked.stdout.split('\n');
  if (asked.code !== 0 || !/^[0-9a-f]{40,64}$/.test(commit)) return undefined;
  const own = mkdtempSync(join(tmpdir(), 'saga-nested-'));
  try {
    for (const name of ['objects/info', 'refs', 'info'])
      mkdirSync(join(own, name), { recursive: true });
    const settings = await readSettings(there, HOW_FILES_ARE_WRITTEN);
    const stored = format === 'sha1' ? '' : `[extensions]\n\tobjectformat = ${format}\n`;
    writeFileSync(join(own, 'config'), `${settings}${stored}`);
    writeFileSync(join(own, 'objects/info/alternates'), `${objects}\n`);
    writeFileSync(join(own, 'HEAD'), `${commit}\n`);
    if (statIfThere(exclude)?.isFile()) copyFileSync(exclude, join(own, 'info/exclude'));
  } catch (error) {
    removeTree(own);
    throw error;
  }
  const git = openOwnGit(own, there.folder, there.env);
  return { git, own, commit, [Symbol.dispose]: () => removeTree(own) };
}

/** Whether files of a repository inside the checkout differ from its commit. */
export async function hasInnerChanges({ git }: Inner): Promise<boolean> {
  // If its objects are missing, nobody can tell what changed.
  if ((await git.attempt(['read-tree', 'HEAD'])).code !== 0) return true;
  return (await listChangedFiles(git)).length > 0;
}

const HOW_FILES_ARE_WRITTEN =
  '^core\\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol)$';
