import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SagaError } from '../errors.ts';
import { type Git, isAncestor } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { formatPackedRefs, readRefs, SYMBOLIC } from '../git/read-refs.ts';
import { formatRunTrash, TRASH } from '../git/refs/trash-refs.ts';
import type { Worktree } from '../git/worktree.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import type { Environment } from '../processes/run.ts';
import { takeLfsObjects } from './take-lfs.ts';

/** Where the real objects are shown, read-only, to a git in quarantine. */
export const OBJECTS = '/run/saga/git/objects';
/** Where Git LFS then looks for its files. */
export const LFS = '/run/saga/git/lfs';

/** Small files and folders of git that a run gets as copies. */
const COPIED = ['config', 'config.worktree', 'HEAD', 'shallow', 'hooks', 'info', 'reftable'];

/** git's folder that the main checkout and all worktrees share. */
export const sharedFolderOf = ({ gitFolder }: Pick<Worktree, 'gitFolder'>) =>
  dirname(dirname(gitFolder));

/**
 * Creates a private copy of git's folder: settings, hooks, branches and the story's worktree, but no objects. A run may
 * change everything in the copy, because SAGA takes over only commits (takeOver).
 */
export async function createQuarantine(
  { gitFolder, git }: Pick<Worktree, 'gitFolder' | 'git'>,
  finished: string,
): Promise<void> {
  const shared = sharedFolderOf({ gitFolder });
  const folder = `${finished}.new`;
  mkdirSync(join(folder, 'objects/info'), { recursive: true, mode: 0o700 });
  mkdirSync(join(folder, 'refs'));
  const alternates = [OBJECTS, ...readAlternates(shared)];
  writeFileSync(join(folder, 'objects/info/alternates'), `${alternates.join('\n')}\n`);
  for (const name of COPIED) copyIfThere(join(shared, name), join(folder, name));
  copyOwnWorktree(gitFolder, join(folder, 'worktrees', basename(gitFolder)));
  if (!existsSync(join(folder, 'reftable'))) await copyRefs(git, shared, folder);
  // The rename comes last: if the worker is killed before it, there is nothing to take over.
  renameSync(folder, finished);
}

/** The absolute paths of further object stores that the repository uses. */
export function readAlternates(shared: string): string[] {
  const objects = join(shared, 'objects');
  const file = join(objects, 'info/alternates');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((it) => it !== '' && !it.startsWith('#')).map((it) => resolve(objects, it));
}

/** Copies the refs into one file, because a repository may have thousands, each in a file of its own. */
async function copyRefs(git: Git, shared: string, folder: string): Promise<void> {
  const packed: [ref: string, commit: string][] = [];
  for (const [ref, value] of await readRefs(git, shared)) {
    if (value.startsWith(SYMBOLIC)) writeSymbolic(join(folder, ref), value.slice(SYMBOLIC.length));
    else if (/^[0-9a-f]{40,64}$/.test(value)) packed.push([ref, value]);
  }
  writeFileSync(join(folder, 'packed-refs'), formatPackedRefs(packed));
}

function writeSymbolic(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `ref: ${target}\n`);
}

/**
 * Copies git's folder for the worktree without its submodules, which may be large. The sandbox shows those directly.
 */
function copyOwnWorktree(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    filter: (path) => path !== join(from, 'modules') && !basename(path).startsWith('saga-'),
  });
}

function copyIfThere(from: string, to: string): void {
  const found = lstatSync(from, { throwIfNoEntry: false });
  if (found?.isFile()) copyFileSync(from, to);
  else if (found?.isDirectory()) cpSync(from, to, { recursive: true });
}

export interface TakenOver {
  /** The new tip of the story's branch; undefined if the run removed the branch. */
  tip?: string;
  /** Other branches, tags and stashes that the run made, and the refs that keep them now. */
  left: { name: string; ref: string }[];
  /** True if the run fetched: it may have merged a newer base, which the repository does not know yet. */
  hasFetched: boolean;
}

/**
 * Takes the commits of a run over into the repository. May be called again. Uses only the commits: settings and hooks
 * are deleted before git reads the quarantine. git checks every object.
 */
export async function takeOver(
  worktree: Worktree,
  folder: string,
  runId: string,
  env: Environment,
): Promise<TakenOver> {
  if (!existsSync(folder)) return { left: [], hasFetched: false };
  const { branch, gitFolder } = worktree;
  const git = openPlainGit(worktree.folder, env);
  const [head, known] = await Promise.all([
    disarm(git, worktree, folder),
    readRefs(git, sharedFolderOf(worktree)),
  ]);
  const before = { get: (ref: string) => resolveRef(known, ref) };
  const inside = openPlainGit(folder, { ...env, GIT_NO_REPLACE_OBJECTS: '1' });
  const after = await listRefs(inside, folder);
  const own = `refs/heads/${branch}`;
  const kept = formatRunTrash(basename(gitFolder), runId);
  const changed = [...after].filter(
    ([ref, commit]) => ref !== own && isWork(ref) && before.get(ref) !== commit,
  );
  const left = (await withoutKept(git, changed, kept)).map(([ref]) => ({
    name: ref.replace(/^refs\/(heads\/)?/, ''),
    ref: `${kept}/${ref.slice(5)}`,
  }));
  const tip = after.get(own);
  const isMoved = tip !== undefined && tip !== before.get(own);
  const passing = [
    ...(isMoved ? [{ from: own, ref: `${kept}/tip` }] : []),
    ...(head === undefined ? [] : [{ from: head, ref: `${kept}/head` }]),
  ];
  const wanted = [
    ...left.map(({ ref }) => `+refs/${ref.slice(kept.length + 1)}:${ref}`),
    ...passing.map(({ from, ref }) => `+${from}:${ref}`),
  ];
  if (wanted.length > 0) await fetchChecked(git, folder, wanted);
  await takeLfsObjects(folder, sharedFolderOf(worktree));
  const at = head === undefined ? undefined : await git.resolve(`${kept}/head`);
  // One command for all: each one waits for the disk.
  const moves = isMoved ? [`update ${own} ${tip}`] : [];
  const input = [...moves, ...passing.map(({ ref }) => `delete ${ref}`)].map((it) => `${it}\n`);
  if (input.length > 0) {
    await git.run(['update-ref', '-m', 'saga: run', '--stdin'], { input: input.join('') });
  }
  // reclaimWorktree brings a worktree that is not on its branch back to it, with its commits.
  if (at !== undefined) await git.run(['update-ref', '--no-deref', 'HEAD', at]);
  await git.run(['reset', '-q']);
  // The folder is renamed in one step, because the commits of a half removed folder could not be taken over again.
  renameSync(folder, `${folder}.done`);
  const isNew = ([ref, commit]: [string, string]) =>
    ref.startsWith('refs/remotes/') && before.get(ref) !== commit;
  return {
    tip,
    left: await dropMerged(git, left),
    hasFetched: [...after].some(isNew),
  };
}

/**
 * Leaves out refs whose commits the repository keeps anyway. Other workers move, merge and remove their
 * branches during a run, and the quarantine still has them as they were.
 */
async function withoutKept(
  git: Git,
  refs: readonly [ref: string, commit: string][],
  ownTrash: string,
): Promise<[ref: string, commit: string][]> {
  const others = ['--branches', '--tags', `--exclude=${ownTrash}/*`, `--glob=${TRASH}`];
  const open: [string, string][] = [];
  for (const [ref, commit] of refs) {
    // A commit that only the run has is unknown here, so git fails.
    const found = await git.attempt(['rev-list', '--max-count=1', commit, '--not', ...others]);
    if (found.code !== 0 || found.stdout !== '') open.push([ref, commit]);
  }
  return open;
}

/** Forgets refs whose commits are all in the story's checkout. */
async function dropMerged(git: Git, left: TakenOver['left']): Promise<TakenOver['left']> {
  const open: TakenOver['left'] = [];
  for (const it of left) {
    if (!(await isAncestor(git, it.ref, 'HEAD'))) open.push(it);
    else await git.run(['update-ref', '-d', it.ref]);
  }
  return open;
}

/** The refs under which people and runs keep work. Remote branches are only a memory of the remote. */
const isWork = (ref: string) => /^refs\/(heads|tags)\/|^refs\/stash$/.test(ref);

/** Returns the commit of a ref. For a symbolic ref, that is the commit of its target. */
function resolveRef(refs: ReadonlyMap<string, string>, ref: string): string | undefined {
  const value = refs.get(ref);
  return value?.startsWith(SYMBOLIC) ? refs.get(value.slice(SYMBOLIC.length)) : value;
}

async function listRefs(git: Git, folder: string): Promise<Map<string, string>> {
  const format = '--format=%(refname) %(objectname)';
  const text = await git.run([`--git-dir=${folder}`, 'for-each-ref', format]);
  return new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ') as [string, string]),
  );
}

/**
 * Removes everything from the quarantine that could make git run a program, read another file or see
 * other objects. Returns the ref of the run's checkout, or undefined if that is the story's branch.
 */
async function disarm(git: Git, worktree: Worktree, folder: string): Promise<string | undefined> {
  const { gitFolder, branch } = worktree;
  const shared = sharedFolderOf(worktree);
  removeOddFiles(folder);
  const head = readHead(join(folder, 'worktrees', basename(gitFolder), 'HEAD'));
  for (const name of [
    'config',
    'config.worktree',
    'hooks',
    'info',
    'worktrees',
    'commondir',
    'gitdir',
    'refs/replace',
    'shallow',
  ]) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
  const objects = join(folder, 'objects/info');
  rmSync(objects, { recursive: true, force: true });
  mkdirSync(objects, { recursive: true });
  writeFileSync(join(objects, 'alternates'), `${join(shared, 'objects')}\n`);
  copyIfThere(join(shared, 'shallow'), join(folder, 'shallow'));
  writeFileSync(join(folder, 'config'), await readFormat(git));
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  if (head === undefined || head === `refs/heads/${branch}`) return undefined;
  if (head.startsWith('refs/')) return head;
  writeFileSync(join(folder, 'refs/saga-head'), `${head}\n`);
  return 'refs/saga-head';
}

/** Reads only the settings that say how the repository stores its objects and refs. */
async function readFormat(git: Git): Promise<string> {
  const { stdout } = await git.attempt([
    'config',
    '--local',
    '--get-regexp',
    '^(core\\.repositoryformatversion|extensions\\.(objectformat|refstorage))$',
  ]);
  const lines = stdout.split('\n').filter(Boolean);
  return lines
    .map((line) => {
      const [key = '', value = ''] = line.split(' ');
      const [section, name] = key.split('.');
      return `[${section}]\n\t${name} = ${value}\n`;
    })
    .concat('[core]\n\tbare = true\n')
    .join('');
}

/** Returns the ref or the commit that a HEAD file names. A run may have written anything into it. */
function readHead(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8').trim();
  const ref = /^ref: (refs\/heads\/[\w./-]+)$/.exec(text)?.[1];
  return ref ?? /^[0-9a-f]{40,64}$/.exec(text)?.[0];
}

/** Links would lead git elsewhere, a pipe would never end, and no ref of git has so long a path. */
function removeOddFiles(folder: string): void {
  if (folder.length > LONGEST) {
    rmSync(folder, { recursive: true, force: true });
    return;
  }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeOddFiles(path);
    else if (!entry.isFile()) rmSync(path, { force: true });
  }
}

/** Paths of 4,096 bytes and more cannot be opened. */
const LONGEST = 3000;

async function fetchChecked(git: Git, from: string, refspecs: readonly string[]): Promise<void> {
  const settings = ['fetch.fsckObjects=true', 'protocol.file.allow=always', 'gc.auto=0'];
  const args = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '-q'];
  const result = await git.attempt([
    ...settings.flatMap((it) => ['-c', it]),
    'fetch',
    ...args,
    from,
    ...refspecs,
  ]);
  if (result.code === 0) return;
  throw new SagaError(
    'git-failed',
    `The commits of the run cannot be taken over from ${from}: ${describeFailure(result)}.`,
    `Look at them yourself: git --git-dir=${from} log --all. Then remove that folder and run the story again.`,
  );
}
