import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { TrashNote } from '@saga-ai/types/run/trash-note';
import { formatJson } from '../files/json-text.ts';
import { readIfThere } from '../files/read-text.ts';
import { addAll } from '../git/commit.ts';
import { type Git, listNested } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { leftFolder } from '../git/refs/left-refs.ts';
import { formatStoryTrash } from '../git/refs/trash-refs.ts';
import { listUncommitted } from '../git/uncommitted.ts';
import { isFolder } from '../project/find-project.ts';
import { mainStoryFolder, type Paths, trashWorkFolder } from '../project/paths.ts';
import { describeUnkept, findUnkept, type Unkept } from './inner-repositories.ts';
import { createRawGit, type RawGit } from './raw-git.ts';

/** What is put into the trash: a story's branch, its worktree, or its plan only. */
export interface Work {
  paths: Paths;
  /** git in the main checkout. */
  git: Git;
  /** The id of the story, or of the epic. */
  id: string;
  why: TrashNote['why'];
  timestamp: number;
  branch: string;
  /** The base and the remote's branch: commits that they have are not counted. */
  known: readonly string[];
  worktree?: { folder: string; gitFolder: string };
  /** Further files to keep, relative to the project, and what to note of them. */
  plan?: { isEpic?: boolean; files: readonly string[]; note: NonNullable<TrashNote['plan']> };
}

export interface SavedWork {
  ref: string;
  note: TrashNote;
  /** Whether the files of the worktree, which may have been moved, are still the saved ones. */
  isUnchangedIn(folder: string): Promise<boolean>;
}

/** The names of what an entry keeps beside the files of the worktree. */
export const NOTES = {
  note: 'note.json',
  index: 'index',
  git: 'git',
  plan: 'plan',
  files: 'files',
};

/**
 * git's files in the folder of a worktree that describe an unfinished operation, and SAGA's note of an interrupted run.
 */
export const GIT_STATE = [
  ...['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE', 'SQUASH_MSG', 'ORIG_HEAD'],
  ...['CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD', 'BISECT_LOG'],
  ...['rebase-merge', 'rebase-apply', 'sequencer', 'saga-run.json'],
];

/**
 * Saves the work of a story as one commit under a ref of the trash, and changes nothing else. Its tree is the files of
 * the worktree, byte by byte, without ignored ones. Its first parent is HEAD. Its second parent keeps the index,
 * unfinished operations, the plan in the main checkout, and every commit that only the story has. Throws if the
 * worktree contains a repository with work that no other repository has.
 */
export async function saveWork(work: Work, raw: RawGit): Promise<SavedWork> {
  const { git, id, timestamp, branch, worktree } = work;
  const ref = formatStoryTrash(id, timestamp);
  const tip = await git.resolve(`refs/heads/${branch}`);
  const inside = worktree && openPlainGit(worktree.folder, git.env);
  const head = (await inside?.resolve('HEAD')) ?? tip ?? (await findGround(git));
  const left = await listLeftRefs(git, branch);
  const staged = worktree && inside ? await writeIndexTrees(worktree, inside, raw) : [];
  const files = worktree
    ? await writeFiles(work, worktree, raw, staged[0]?.tree)
    : await git.run(['rev-parse', `${head}^{tree}`]);
  const changed = inside ? await listUncommitted(inside) : [];
  const note: TrashNote = {
    ...{ version: 1, story: id, why: work.why, at: new Date(timestamp).toISOString() },
    isEpic: work.plan?.isEpic ? true : undefined,
    branch: tip === undefined ? null : branch,
    tip: tip ?? null,
    head: worktree ? readFileSync(join(worktree.gitFolder, 'HEAD'), 'utf8').trim() : null,
    folder: worktree?.folder ?? null,
    changed: changed.slice(0, MOST_NAMED),
    changedCount: changed.length,
    commits: tip === undefined ? 0 : await countOwn(git, tip, work.known),
    left,
    plan: work.plan ? work.plan.note : undefined,
  };
  const notes = await writeNotes(work, raw, note);
  const kept = [...staged.map(({ name, tree }) => `040000 tree ${tree}\t${name}\0`)];
  const tree = await writeTree(git, [`040000 tree ${notes}\tnotes\0`, ...kept]);
  const involved = worktree && inside ? await findInvolved(worktree.gitFolder, inside) : [];
  const parents = [head, tip, ...left.map((it) => it.commit), ...involved];
  const beside = await commitTree(git, tree, parents, `notes of ${id}`);
  const commit = await commitTree(git, files, [head, beside], `${id}, kept by saga ${work.why}`);
  await git.run(['update-ref', '-m', `saga: ${work.why} ${id}`, ref, commit, NEW]);
  return {
    ref,
    note,
    isUnchangedIn: async (folder) =>
      (await updateFiles(folder, raw)) === files &&
      (!worktree || !(await findIn(work, { ...worktree, folder }, raw))),
  };
}

/**
 * Finds the commit that an entry without a branch is based on: that of the main checkout, or a new empty one if there
 * is none.
 */
async function findGround(git: Git): Promise<string> {
  const head = await git.resolve('HEAD');
  return head ?? commitTree(git, await writeTree(git, []), [], 'nothing');
}

/** Creates the git folder that `saveWork` and `restoreWork` use. Only one process may use it for one id. */
export const openTrashGit = (paths: Paths, git: Git, id: string) =>
  createRawGit(git, trashWorkFolder(paths, id));

const MOST_NAMED = 50;
/** The old value of a ref that must not exist yet. */
const NEW = '';

async function countOwn(git: Git, tip: string, known: readonly string[]): Promise<number> {
  const counted = await git.attempt(['rev-list', '--count', tip, '--not', ...known]);
  return Number(counted.stdout) || 0;
}

async function listLeftRefs(git: Git, branch: string): Promise<TrashNote['left']> {
  const printed = await git.run([
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    leftFolder(branch),
  ]);
  return printed.split('\n').flatMap((line) => {
    const [commit = '', ref = ''] = line.split(' ');
    return ref === '' ? [] : [{ ref, commit }];
  });
}

interface NamedTree {
  name: string;
  tree: string;
}

/** The trees of the index: what is staged, and each side of the files that conflict. */
async function writeIndexTrees(
  { gitFolder }: NonNullable<Work['worktree']>,
  inside: Git,
  raw: RawGit,
): Promise<NamedTree[]> {
  const index = raw.index('whole');
  if (!existsSync(join(gitFolder, 'index'))) return [];
  copyFileSync(join(gitFolder, 'index'), index);
  // An index that is split in two would be useless without its other part, so it becomes one.
  await inside.attempt(['update-index', '--no-split-index'], { index });
  copyFileSync(index, raw.index('saved'));
  const unmerged = await inside.paths(['ls-files', '-u', '-z'], { index });
  const sides = Map.groupBy(unmerged, (it) => /^\d+ \w+ (\d)\t/.exec(it)?.[1] ?? '');
  const trees: NamedTree[] = [];
  for (const [side, entries] of sides) {
    const input = entries.map((it) => `${it.replace(/^(\d+ \w+) \d\t/, '$1 0\t')}\0`).join('');
    const own = raw.index(`side-${side}`);
    await inside.run(['update-index', '-z', '--index-info'], { index: own, input });
    trees.push({ name: `side-${side}`, tree: await inside.run(['write-tree'], { index: own }) });
  }
  if (unmerged.length > 0) {
    const input = [...new Set(unmerged.map((it) => it.slice(it.indexOf('\t') + 1)))];
    await inside.run(['update-index', '--force-remove', '-z', '--stdin'], {
      index,
      input: input.map((path) => `${path}\0`).join(''),
    });
  }
  return [{ name: 'staged', tree: await inside.run(['write-tree'], { index }) }, ...trees];
}

/**
 * Writes the tree of the files. Starts from the staged files, so that files which are both tracked and ignored are
 * included. Leaves out the times of the index, so that git reads every file.
 */
async function writeFiles(
  work: Work,
  worktree: NonNullable<Work['worktree']>,
  raw: RawGit,
  staged: string | undefined,
): Promise<string> {
  const git = raw.open(worktree.folder);
  const index = raw.index('files');
  await git.run(['read-tree', ...(staged === undefined ? ['--empty'] : [staged])], { index });
  const tree = await updateFiles(worktree.folder, raw);
  const unkept = await findIn(work, worktree, raw);
  if (unkept) throw describeUnkept(worktree.folder, unkept);
  return tree;
}

/** Finds a repository inside the worktree whose files or commits would be lost. */
async function findIn(
  { git, paths }: Work,
  { folder, gitFolder }: NonNullable<Work['worktree']>,
  raw: RawGit,
): Promise<Unkept | undefined> {
  const nested = await listNested(raw.open(folder), [':/'], { index: raw.index('files') });
  return findUnkept({ folder, gitFolder, root: paths.root, env: git.env }, nested);
}

async function updateFiles(folder: string, raw: RawGit): Promise<string> {
  const git = raw.open(folder);
  const index = raw.index('files');
  await addAll(git, { index });
  return git.run(['write-tree'], { index });
}

/** Collects what is kept beside the files in a folder, and returns the tree of that folder. */
async function writeNotes(work: Work, raw: RawGit, note: TrashNote): Promise<string> {
  const { paths, id, worktree, plan } = work;
  const folder = raw.notes;
  mkdirSync(join(folder, NOTES.git));
  writeFileSync(join(folder, NOTES.note), formatJson(note));
  if (worktree) {
    const index = raw.index('saved');
    if (existsSync(index)) copyFileSync(index, join(folder, NOTES.index));
    for (const name of GIT_STATE)
      copyIfThere(join(worktree.gitFolder, name), join(folder, NOTES.git, name));
  }
  copyIfThere(mainStoryFolder(paths, id), join(folder, NOTES.plan));
  for (const file of plan?.files ?? [])
    copyIfThere(join(paths.root, file), join(folder, NOTES.files, file));
  const git = raw.open(folder);
  const index = raw.index('notes');
  await git.run(['add', '-A', '-f', '.'], { index });
  return git.run(['write-tree'], { index });
}

function copyIfThere(from: string, to: string): void {
  if (!lstatSync(from, { throwIfNoEntry: false })) return;
  mkdirSync(dirname(to), { recursive: true });
  if (isFolder(from)) cpSync(from, to, { recursive: true });
  else copyFileSync(from, to);
}

const writeTree = (git: Git, entries: readonly string[]) =>
  git.run(['mktree', '-z'], { input: [...entries].sort().join('') });

function commitTree(
  git: Git,
  tree: string,
  parents: readonly (string | undefined)[],
  message: string,
): Promise<string> {
  const named = parents.filter((it) => it !== undefined);
  const lead = [...new Set(named)].flatMap((it) => ['-p', it]);
  return git.run(['commit-tree', '--no-gpg-sign', tree, ...lead, '-m', `saga: ${message}`]);
}

/** The commits that an unfinished operation is about, such as those that a rebase has yet to apply. */
async function findInvolved(gitFolder: string, git: Git): Promise<string[]> {
  const noted = INVOLVED.flatMap((file) => {
    const path = join(gitFolder, file);
    const text = readIfThere(path) ?? '';
    return [...text.matchAll(/\b[0-9a-f]{40,64}\b/g)].map(([it]) => it);
  });
  const found = await Promise.all([...new Set(noted)].map((it) => git.resolve(it)));
  return found.filter((it) => it !== undefined);
}

const INVOLVED = [
  ...['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD', 'ORIG_HEAD'],
  ...['rebase-merge/orig-head', 'rebase-merge/autostash', 'rebase-merge/git-rebase-todo'],
  ...['rebase-merge/done', 'rebase-apply/orig-head', 'rebase-apply/autostash', 'sequencer/todo'],
];
