import { copyFileSync, cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TrashNote } from '@saga-ai/types/run/trash-note';
import { SagaError } from '../errors.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { adviseMove } from '../git/checkout-top.ts';
import { type Git, isAncestor, listWorktrees } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { leftFolder } from '../git/refs/left-refs.ts';
import { withRepositoryLock } from '../git/repository-lock.ts';
import { isFolder } from '../project/find-project.ts';
import { markWorktree } from '../project/story-worktrees.ts';
import type { RawGit } from './raw-git.ts';
import { GIT_STATE, NOTES } from './save-work.ts';

/** The work that is brought back from the trash, and the place that it is brought to. */
export interface Restoring {
  /** git in the main checkout. */
  git: Git;
  root: string;
  ref: string;
  note: TrashNote;
  branch: string;
  /** Where the worktree is made. */
  folder: string;
}

/** git keeps this text with a worktree that is not whole yet. */
const UNDER_WAY = 'saga is restoring it from the trash';

/**
 * Brings a story's branch and worktree back: files, index, and an unfinished operation as they were. The worktree
 * belongs to the story only when it is whole. May be called again after a kill.
 */
export async function restoreWork(restoring: Restoring, raw: RawGit): Promise<void> {
  const { git, note, ref } = restoring;
  await dropHalf(git, restoring);
  await requireFree(git, restoring);
  const notes = raw.open(raw.notes);
  const kept = await git.run(['rev-parse', `${ref}^2:notes`]);
  await notes.run(['read-tree', '--reset', '-u', kept], { index: raw.index('notes') });
  if (note.tip !== null) await createBranch(git, restoring.branch, note.tip);
  for (const { ref: left, commit } of listSafe(note, restoring.branch)) {
    await git.run(['update-ref', left, commit]);
  }
  if (note.head !== null) await restoreWorktree(restoring, note.head, raw);
}

/**
 * Returns the path of a file of the entry that is not part of the worktree, such as the plan. Call `restoreWork` first.
 */
export const findKeptFile = (raw: RawGit, ...names: string[]) => join(raw.notes, ...names);

/** Removes a worktree that an earlier, killed restore began. */
async function dropHalf(git: Git, { folder }: Restoring): Promise<void> {
  const entry = (await listWorktrees(git)).find((it) => it.path === folder);
  if (entry?.locked !== UNDER_WAY) return;
  await withRepositoryLock(git, () =>
    git.run(['worktree', 'remove', '--force', '--force', folder]),
  );
}

async function requireFree(git: Git, { note, branch, folder }: Restoring): Promise<void> {
  const tip = await git.resolve(`refs/heads/${branch}`);
  const id = note.story;
  const discard = `Put what is there into the trash first: saga recover --discard ${id}`;
  // A branch that the saved one contains loses nothing: a killed restore may have left it half way.
  const isContained =
    tip === undefined || (note.tip !== null && (await isAncestor(git, tip, note.tip)));
  if (!isContained) {
    throw new SagaError('already-exists', `${branch} exists, and it has other commits.`, discard);
  }
  const entries = await listWorktrees(git);
  const taken = entries.find((it) => it.branch === branch && existsSync(it.path));
  if (note.head === null) return;
  if (taken) {
    const message = `${id} has a worktree already: ${taken.path}`;
    throw new SagaError('already-exists', message, discard);
  }
  if (!isFolder(folder) || readdirSync(folder).length === 0) return;
  throw new SagaError(
    'worktree-taken',
    `${folder} is in the way: the worktree of ${id} belongs there.`,
    adviseMove(folder),
  );
}

/** Creates the branch in two steps, so that its reflog shows that it has moved: work on it has begun. */
async function createBranch(git: Git, branch: string, tip: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const there = await git.resolve(ref);
  if (there === tip) return;
  const parent = there ?? (await git.resolve(`${tip}^`));
  const move = (to: string, from: string) =>
    git.run(['update-ref', '--create-reflog', '-m', 'saga: restored', ref, to, from]);
  if (parent !== undefined && there === undefined) await move(parent, '');
  await move(tip, parent ?? '');
}

/** Leaves out refs of the note that are not left work of this branch, because a run could have written the note. */
function listSafe({ left }: TrashNote, branch: string): TrashNote['left'] {
  return left.filter(
    ({ ref, commit }) =>
      ref.startsWith(`${leftFolder(branch)}/`) &&
      /^[\w./-]+$/.test(ref) &&
      /^[0-9a-f]{40,64}$/.test(commit),
  );
}

async function restoreWorktree(restoring: Restoring, head: string, raw: RawGit): Promise<void> {
  const { git, root, ref, branch, folder } = restoring;
  const at = (await git.resolve(`${ref}^1`)) ?? '';
  ensureFolder(join(folder, '..'));
  await withRepositoryLock(git, () =>
    git.run([
      ...['worktree', 'add', '-q', '--no-checkout', '--detach'],
      ...['--lock', '--reason', UNDER_WAY, folder, at],
    ]),
  );
  const inside = openPlainGit(folder, git.env);
  const gitFolder = await inside.run(['rev-parse', '--absolute-git-dir']);
  const files = raw.open(folder);
  const tree = await git.run(['rev-parse', `${ref}^{tree}`]);
  await files.run(['read-tree', '--reset', '-u', tree], { index: raw.index('files') });
  const index = findKeptFile(raw, NOTES.index);
  if (existsSync(index)) copyFileSync(index, join(gitFolder, 'index'));
  for (const name of GIT_STATE) {
    const kept = findKeptFile(raw, NOTES.git, name);
    if (existsSync(kept)) cpSync(kept, join(gitFolder, name), { recursive: true });
  }
  await setHead(inside, head, at);
  markWorktree(gitFolder, branch, root);
  await git.run(['worktree', 'unlock', folder]);
}

/** Sets HEAD last: only now the worktree is the story's, and everything is in it. */
async function setHead(git: Git, head: string, commit: string): Promise<void> {
  const [, target] = /^ref: (refs\/heads\/.+)$/.exec(head) ?? [];
  if (target === undefined || (await git.resolve(target)) === undefined) {
    await git.run(['update-ref', '--no-deref', 'HEAD', commit]);
  } else await git.run(['symbolic-ref', 'HEAD', target]);
}
