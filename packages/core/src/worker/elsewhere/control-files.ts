import {
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { writeDurably } from '../../files/atomic-write.ts';
import { listEntries, listNames } from '../../files/list-folder.ts';

/** The content of a file, or the target of a link. */
export interface ControlFile {
  content: Buffer;
  mode: number;
  isLink: boolean;
  /** True if it is a settings file, of which single keys are put back. */
  isSettings?: true;
  /** The folder below git's own that it belongs to, if that is another worktree's or a submodule's. */
  owner?: string;
}

/** Files by which git is told what to do, by their paths below git's folder. */
export type ControlFiles = ReadonlyMap<string, ControlFile>;

/** Where the history of a clone is cut off. */
export const SHALLOW = 'shallow';
/** Further places where git looks for objects. */
export const ALTERNATES = 'objects/info/alternates';

/** Reads git's own settings, hooks and rules, into memory: a run can write any file. */
export function readControlFiles(shared: string, own: string): ControlFiles {
  const files = new Map<string, ControlFile>();
  const add = (path: string, more: Pick<ControlFile, 'isSettings' | 'owner'> = {}) => {
    const file = readControlFile(join(shared, path));
    if (file) files.set(path, { ...file, ...more });
  };
  for (const path of ['config', 'config.worktree']) add(path, { isSettings: true });
  const below = [...listBelow(shared, 'hooks'), ...listBelow(shared, 'info')];
  for (const path of [SHALLOW, ALTERNATES, ...below]) add(path);
  for (const name of listNames(join(shared, 'worktrees'))) {
    const folder = `worktrees/${name}`;
    const owner = name === own ? {} : { owner: folder };
    add(`${folder}/config.worktree`, { isSettings: true, ...owner });
    for (const file of ['commondir', 'gitdir']) add(`${folder}/${file}`, owner);
  }
  for (const owner of ['modules', `worktrees/${own}/modules`].flatMap((it) =>
    listModules(shared, it),
  )) {
    for (const file of ['config', 'config.worktree']) {
      add(`${owner}/${file}`, { isSettings: true, owner });
    }
    // The other files that git puts into a new repository start no program.
    const hooks = listBelow(shared, `${owner}/hooks`).filter((it) => !it.endsWith('.sample'));
    for (const path of [...hooks, `${owner}/info/attributes`]) add(path, { owner });
  }
  return files;
}

/** Whether a file belongs to a submodule. */
export const isOfModule = ({ owner }: Pick<ControlFile, 'owner'>) =>
  owner !== undefined && /(^|\/)modules\//.test(owner);

/** The folders of git of submodules, also of those inside submodules. A name may have slashes in it. */
function listModules(shared: string, folder: string, depth = 0): string[] {
  if (depth > DEEPEST) return [];
  return listEntries(join(shared, folder))
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (!existsSync(join(shared, path, 'HEAD'))) return listModules(shared, path, depth + 1);
      return [path, ...listModules(shared, `${path}/modules`, depth + 1)];
    });
}

const DEEPEST = 20;

/** Lists the files below a folder, without `info/refs`, a list for servers that git writes itself. */
function listBelow(shared: string, folder: string): string[] {
  const entries: Dirent[] = listEntries(join(shared, folder));
  return entries
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? listBelow(shared, path) : [path];
    })
    .filter((path) => path !== 'info/refs');
}

/** Larger files are no hooks or settings; they would only fill the memory. */
const MOST_BYTES = 5_000_000;

function readControlFile(path: string): ControlFile | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) {
    return { content: Buffer.from(readlinkSync(path)), mode: 0, isLink: true };
  }
  if (!found?.isFile() || found.size > MOST_BYTES) return undefined;
  return { content: readFileSync(path), mode: found.mode & 0o777, isLink: false };
}

/** Lists the paths whose files differ. */
export function compareControlFiles(before: ControlFiles, after: ControlFiles): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.filter((path) => !isSame(before.get(path), after.get(path)));
}

function isSame(a: ControlFile | undefined, b: ControlFile | undefined): boolean {
  if (!a || !b) return a === b;
  return a.isLink === b.isLink && a.mode === b.mode && a.content.equals(b.content);
}

/** Writes a file as it was, or removes it if there was none. */
export function writeControlFile(path: string, file: ControlFile | undefined): void {
  if (!file || file.isLink || !lstatSync(path, { throwIfNoEntry: false })?.isFile()) {
    rmSync(path, { recursive: true, force: true });
  }
  if (!file) return;
  mkdirSync(dirname(path), { recursive: true });
  if (file.isLink) {
    symlinkSync(file.content.toString(), path);
    return;
  }
  const temp = `${path}.${process.pid}.tmp`;
  rmSync(temp, { force: true });
  writeDurably(temp, file.content, file.mode);
  renameSync(temp, path);
}
