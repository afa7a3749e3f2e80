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
import { writeFileAtomic } from '../files/atomic-write.ts';
import { readIfThere } from '../files/read-text.ts';
import { type Git, isAncestor } from '../git/git.ts';
import { readSettings } from '../git/own-git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { formatPackedRefs, readRefs, SYMBOLIC } from '../git/read-refs.ts';
import { formatRunTrash, TRASH } from '../git/refs/trash-refs.ts';
import type { Worktree } from '../git/worktree.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import type { Environment } from '../processes/run.ts';
import { type OnMoved, refreshFiles, settleBranch } from './branch-after-run.ts';
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
  { gitFolder, git, branch }: Pick<Worktree, 'gitFolder' | 'git' | 'branch'>,
  finished: string,
): Promise<void> {
  const shared = sharedFolderOf({ gitFolder });
  const folder = `${finished}.new`;
  // Read before the refs are copied: a commit that a person makes in between is then the person's and not the run's.
  const tip = await git.resolve(`refs/heads/${branch}`);
  mkdirSync(join(folder, 'objects/info'), { recursive: true, mode: 0o700 });
  mkdirSync(join(folder, 'refs'));
  const alternates = [OBJECTS, ...readAlternates(shared)];
  writeFileSync(join(folder, 'objects/info/alternates'), `${alternates.join('\n')}\n`);
  for (const name of COPIED) copyIfThere(join(shared, name), join(folder, name));
  copyOwnWorktree(gitFolder, join(folder, 'worktrees', basename(gitFolder)));
  if (!existsSync(join(folder, 'reftable'))) await copyRefs(git, shared, folder);
  if (tip !== undefined) writeFileAtomic(tipNote(finished), tip);
  // The rename comes last: if the worker is killed before it, there is nothing to take over.
  renameSync(folder, finished);
}

/** Notes beside a quarantine, where its run cannot reach them: the branch's commit when it was made, and its HEAD. */
const tipNote = (quarantine: string) => `${quarantine}.tip`;
const headNote = (quarantine: string) => `${quarantine}.head`;

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
  /** Other branches, tags and stashes that the run made, and the refs that keep them now. */
  left: { name: string; ref: string }[];
  /** True if the run fetched: it may have merged a newer base, which the repository does not know yet. */
  hasFetched: boolean;
}

/**
 * Takes the commits of a run over into the repository. May be called again. Uses only the commits: settings and hooks
 * are deleted before git reads the quarantine. git checks every object. `onMoved` is told before the branch moves if a
 * person moved it while the run worked.
 */
export async function takeOver(
  worktree: Pick<Worktree, 'folder' | 'branch' | 'gitFolder'>,
  folder: string,
  runId: string,
  env: Environment,
  onMoved: OnMoved = () => {},
): Promise<TakenOver> {
  if (!existsSync(folder)) return { left: [], hasFetched: false };
  const { branch, gitFolder } = worktree;
  const git = openPlainGit(worktree.folder, env);
  const [head, known, place] = await Promise.all([
    disarm(git, worktree, folder),
    readRefs(git, sharedFolderOf(worktree)),
    findPlace(git),
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
  const tips = { noted: readCommit(tipNote(folder)), here: before.get(own), run: after.get(own) };
  const hasWork = tips.run !== undefined && tips.run !== tips.noted;
  const passing = [
    ...(hasWork ? [{ from: own, ref: `${kept}/tip` }] : []),
    ...(head === undefined ? [] : [{ from: head, ref: `${kept}/head` }]),
  ];
  const wanted = [
    ...left.map(({ ref }) => `+refs/${ref.slice(kept.length + 1)}:${ref}`),
    ...passing.map(({ from, ref }) => `+${from}:${ref}`),
  ];
  if (wanted.length > 0) await fetchChecked(git, folder, wanted);
  await takeLfsObjects(folder, sharedFolderOf(worktree));
  const at = head === undefined ? undefined : await git.resolve(`${kept}/head`);
  const lines = passing.map(({ ref }) => `delete ${ref}`);
  const tip = await settleBranch(git, { worktree, runId, tips, lines, onMoved });
  if (at !== undefined) {
    if (place !== at && isCommit(place)) {
      left.push({ name: 'HEAD of a person', ref: `${kept}/person` });
      await git.run(['update-ref', `${kept}/person`, place]);
    }
    // reclaimWorktree brings a worktree that is not on its branch back to it, with its commits.
    await git.run(['update-ref', '--no-deref', 'HEAD', at]);
    await git.run(['reset', '-q']);
  } else if (place === own) {
    if (hasWork) await git.run(['reset', '-q']);
    const seen = [tips.noted, tips.here, tips.run].filter((it) => it !== undefined);
    const isAhead = tip !== undefined && tip !== tips.noted && tip !== tips.run;
    if (isAhead) await refreshFiles(git, worktree, tip, seen);
  }
  // The folder is renamed in one step, because the commits of a half removed folder could not be taken over again.
  renameSync(folder, `${folder}.done`);
  const isNew = ([ref, commit]: [string, string]) =>
    ref.startsWith('refs/remotes/') && before.get(ref) !== commit;
  return { left: await dropMerged(git, left), hasFetched: [...after].some(isNew) };
}

/** Where HEAD of the worktree is: on a branch, or at a commit if a person took it off every branch. */
async function findPlace(git: Git): Promise<string | undefined> {
  const { stdout } = await git.attempt(['symbolic-ref', '-q', 'HEAD']);
  return stdout.trim() || git.resolve('HEAD');
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
async function disarm(
  git: Git,
  worktree: Pick<Worktree, 'gitFolder' | 'branch'>,
  folder: string,
): Promise<string | undefined> {
  const { gitFolder, branch } = worktree;
  const shared = sharedFolderOf(worktree);
  removeOddFiles(folder);
  const note = headNote(folder);
  if (!existsSync(note)) {
    // Written down before it is deleted: this may have to be repeated.
    const found = readHead(join(folder, 'worktrees', basename(gitFolder), 'HEAD'));
    writeFileAtomic(note, found ?? '');
  }
  const head = readFileSync(note, 'utf8') || undefined;
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
  const format = await readSettings(git, FORMAT);
  writeFileSync(join(folder, 'config'), `${format}[core]\n\tbare = true\n`);
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  if (head === undefined || head === `refs/heads/${branch}`) return undefined;
  if (head.startsWith('refs/')) return head;
  writeFileSync(join(folder, 'refs/saga-head'), `${head}\n`);
  return 'refs/saga-head';
}

/** The settings that say how the repository stores its objects and refs. */
const FORMAT = '^extensions\\.(objectformat|refstorage)$';

/** Returns the ref or the commit that a HEAD file names. A run may have written anything into it. */
function readHead(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8').trim();
  const ref = /^ref: (refs\/heads\/[\w./-]+)$/.exec(text)?.[1];
  return ref ?? (isCommit(text) ? text : undefined);
}

const isCommit = (text: string | undefined): text is string =>
  text !== undefined && /^[0-9a-f]{40,64}$/.test(text);

/** The commit in a note. Undefined if there is none. */
function readCommit(note: string): string | undefined {
  const text = readIfThere(note);
  return isCommit(text) ? text : undefined;
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
