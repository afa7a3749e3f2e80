import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Git } from '../../git/git.ts';
import { type Setting, sortConfigChanges } from './config-changes.ts';
import {
  ALTERNATES,
  type ControlFile,
  type ControlFiles,
  compareControlFiles,
  isOfModule,
  readControlFiles,
  SHALLOW,
  writeControlFile,
} from './control-files.ts';
import type { Elsewhere } from './elsewhere.ts';

/** Puts git's settings, hooks and rules back as they were before a run, and keeps copies of the run's. */
export async function restoreControlFiles(
  git: Git,
  shared: string,
  own: string,
  { controlFiles: before }: { controlFiles: ControlFiles },
  keepIn: string,
  /** True if the run reached only the submodules, so that a person made the other changes. */
  isEnclosed: boolean,
): Promise<Elsewhere> {
  const found: Elsewhere = { putBack: [], noticed: [] };
  const after = readControlFiles(shared, own);
  const owners = new Set([...before.values()].map((it) => it.owner));
  const gone = new Set<string>();
  const changed = compareControlFiles(before, after).filter((path) => {
    const file = before.get(path) ?? after.get(path);
    const owner = file?.owner;
    if (file === undefined || owner === undefined) return true;
    if (!existsSync(join(shared, owner, 'HEAD'))) {
      if (isOfModule(file)) gone.add(owner);
      return false;
    }
    // Another worker may make worktrees. A run may add submodules, whose settings must name no program.
    return isOfModule(file) || owners.has(owner);
  });
  found.noticed.push(...[...gone].map((it) => `.git/${it} is gone`));
  const isForeign = (path: string) =>
    isEnclosed && !isOfModule(before.get(path) ?? after.get(path) ?? {});
  const isSettings = (path: string) => (before.get(path) ?? after.get(path))?.isSettings === true;
  for (const path of changed.filter((it) => !isSettings(it))) {
    const file = join(shared, path);
    // Without these files git would fail, because the history ends there or objects are there.
    const isShallow = path === SHALLOW && (await isNeeded(git, before.get(path), after.get(path)));
    if (isShallow || path === ALTERNATES || isForeign(path)) {
      found.noticed.push(`.git/${path}`);
      continue;
    }
    keep(join(keepIn, path), after.get(path));
    writeControlFile(file, before.get(path));
    found.putBack.push(`.git/${path}`);
  }
  // The settings come last. git reads them to compare them, and runs no program for that.
  for (const path of changed.filter(isSettings)) {
    const [was, is] = [before.get(path), after.get(path)];
    const isNew = is?.owner !== undefined && !owners.has(is.owner);
    const checkouts = isNew ? listCheckouts(shared, before.get(`worktrees/${own}/gitdir`)) : [];
    const one = await restoreConfig(
      git,
      join(shared, path),
      was,
      is,
      join(keepIn, path),
      checkouts,
      isForeign(path),
    );
    found.putBack.push(...one.putBack.map((it) => `.git/${path}${it}`));
    found.noticed.push(...one.noticed.map((it) => `.git/${path}${it}`));
  }
  return found;
}

/**
 * Puts a settings file back, except keys that people and other workers may have written. Returns the keys in
 * brackets, or an empty text for the whole file.
 */
async function restoreConfig(
  git: Git,
  path: string,
  was: ControlFile | undefined,
  is: ControlFile | undefined,
  copy: string,
  /** The checkouts in which a new submodule may have its files. */
  checkouts: readonly string[],
  isOnlyTold: boolean,
): Promise<Elsewhere> {
  const [before, after] = [await readSettings(git, was), await readSettings(git, is)];
  if (!before || !after) {
    if (isOnlyTold) return { putBack: [], noticed: [''] };
    // git cannot read the file, so its keys cannot be compared.
    keep(copy, is);
    writeControlFile(path, was);
    return { putBack: [''], noticed: [] };
  }
  const places = after.filter(([key]) => key === 'core.worktree').map(([, value]) => value);
  const isNewModule = checkouts.length > 0 && places.every((it) => isBelow(path, it, checkouts));
  const { undone, kept, noticed } = sortConfigChanges(before, after, { isNewModule });
  const tell = (keys: readonly string[]) => keys.map((key) => ` (${key})`);
  if (isOnlyTold) return { putBack: [], noticed: tell([...undone, ...noticed]) };
  if (undone.length > 0 || was?.isLink !== is?.isLink) {
    keep(copy, is);
    writeControlFile(path, was);
    for (const [key, values] of kept) {
      const set = (...args: string[]) => git.attempt(['config', '--file', path, ...args]);
      await set('--unset-all', key);
      for (const value of values) await set('--add', key, value);
    }
  }
  return { putBack: tell(undone), noticed: tell(noticed) };
}

/** The main checkout and the story's worktree. */
const listCheckouts = (shared: string, gitdir: ControlFile | undefined) =>
  [shared, gitdir?.content.toString().trim() ?? shared].map((it) => `${dirname(it)}/`);

const isBelow = (path: string, place: string, folders: readonly string[]) =>
  folders.some((it) => resolve(dirname(path), place).startsWith(it));

/** Returns undefined if git cannot read the file. Included files are not followed. */
async function readSettings(
  git: Git,
  file: ControlFile | undefined,
): Promise<Setting[] | undefined> {
  if (!file) return [];
  if (file.isLink) return undefined;
  const args = ['config', '--file', '-', '--no-includes', '--list', '-z'];
  const listed = await git.attempt(args, { input: file.content.toString() });
  if (listed.code !== 0) return undefined;
  const fields = listed.stdout.split('\0').filter(Boolean);
  return fields.map((field) => {
    const end = field.indexOf('\n');
    return end === -1 ? [field, ''] : [field.slice(0, end), field.slice(end + 1)];
  });
}

/**
 * Whether the history of the clone really ends where this file says: the parents of a commit in it are
 * missing. Without the file git would fail there.
 */
async function isNeeded(
  git: Git,
  was: ControlFile | undefined,
  is: ControlFile | undefined,
): Promise<boolean> {
  const [before, after] = [was, is].map((it) => it?.content.toString().split('\n') ?? []);
  const added = (after ?? []).filter((it) => /^[0-9a-f]{40,64}$/.test(it) && !before?.includes(it));
  const known = await git.attempt(['cat-file', '--batch'], { input: `${added.join('\n')}\n` });
  const parents = [...known.stdout.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, id]) => id);
  if (parents.length === 0) return false;
  const args = ['cat-file', '--batch-check'];
  const asked = await git.attempt(args, { input: `${parents.join('\n')}\n` });
  return asked.stdout.includes(' missing\n');
}

/** Keeps a copy of what a run wrote. */
function keep(copy: string, file: ControlFile | undefined): void {
  if (!file) return;
  mkdirSync(dirname(copy), { recursive: true });
  const content = file.isLink ? `a link to ${file.content}\n` : file.content;
  writeFileSync(copy, content, { mode: 0o600 });
}
