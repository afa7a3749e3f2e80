import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFolder } from '../files/ensure-folder.ts';
import { removeTree } from '../files/remove-tree.ts';
import type { Git } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';

/**
 * A git folder of SAGA's own that writes into the objects of a repository. It stores every file byte by byte
 * and ignores .gitattributes: no filter runs, and line ends and keywords stay as they are.
 */
export interface RawGit extends Disposable {
  /** git for the files of any folder. The index is one of this folder's own. */
  open(workTree: string): Git;
  /** Returns the path of the index with this name. */
  index(name: string): string;
  /** A folder for files on their way into the repository or out of it. */
  readonly notes: string;
}

/** Creates the folder. What a killed process left there is removed first. */
export async function createRawGit(from: Git, place: string): Promise<RawGit> {
  const common = await from.run(['rev-parse', '--path-format=absolute', '--git-common-dir']);
  removeTree(place);
  const [folder, notes] = [join(place, 'git'), join(place, 'notes')];
  ensureFolder(join(folder, 'info'), 0o700);
  mkdirSync(join(folder, 'refs'));
  mkdirSync(notes);
  symlinkSync(join(common, 'objects'), join(folder, 'objects'));
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(folder, 'config'), await readSettings(from));
  writeFileSync(join(folder, 'info/attributes'), RAW);
  for (const name of ['shallow', 'info/exclude']) {
    if (existsSync(join(common, name))) copyFileSync(join(common, name), join(folder, name));
  }
  return {
    notes,
    index: (name) => join(folder, `index-${name}`),
    open(workTree) {
      const git = openPlainGit(workTree, from.env);
      const own = [`--git-dir=${folder}`, `--work-tree=${workTree}`, ...SETTINGS];
      return {
        ...git,
        run: (args, options) => git.run([...own, ...args], options),
        attempt: (args, options) => git.attempt([...own, ...args], options),
        paths: (args, options) => git.paths([...own, ...args], options),
      };
    },
    [Symbol.dispose]: () => removeTree(place),
  };
}

/** This file wins over every .gitattributes of the project. */
const RAW = '* -text -eol -filter -ident -crlf -working-tree-encoding\n';

const SETTINGS = [
  '-c',
  'core.autocrlf=false',
  '-c',
  'core.safecrlf=false',
  '-c',
  'core.bare=false',
];

/** Settings about the form of files and objects. No such setting names a program. */
const TAKEN =
  '^(core\\.(filemode|symlinks|ignorecase|precomposeunicode)|extensions\\.objectformat)$';

async function readSettings(git: Git): Promise<string> {
  const { stdout } = await git.attempt(['config', '--local', '--get-regexp', TAKEN]);
  const lines = stdout.split('\n').filter(Boolean);
  const taken = lines.map((line) => {
    const [key = '', value = ''] = line.split(' ');
    const [section, name] = key.split('.');
    return `[${section}]\n\t${name} = ${value}\n`;
  });
  return `[core]\n\trepositoryformatversion = 1\n${taken.join('')}`;
}
