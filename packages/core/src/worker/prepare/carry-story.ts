import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { SagaError, toWriteError } from '../../errors.ts';
import { commitPath, type Git } from '../../git/git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { saveStoryFields } from '../../plan/stories.ts';
import {
  evidenceFile,
  journalFile,
  mainStoryFolder,
  storyFile,
  storyFolderIn,
} from '../../project/paths.ts';
import type { Worker } from '../context.ts';

/**
 * Brings the plan into the worktree, where it lives from now on, and commits it there: it may not be
 * committed anywhere yet, or have been edited since. Once work has begun on the branch, or somebody
 * edited the copy, that copy is the newer one and stays.
 */
export async function carryStory(
  worker: Worker,
  { git, branch, folder }: Pick<Worktree, 'git' | 'branch' | 'folder'>,
  isBegun: boolean,
): Promise<void> {
  const { paths, storyId, emit } = worker;
  const below = `.saga/stories/${storyId}`;
  const from = mainStoryFolder(paths, storyId);
  const to = storyFolderIn(folder, storyId);
  // What counts in here is the ignore file of the base, which may differ from the main checkout's.
  const [status, ignored] = await Promise.all([
    git.run(['status', '--porcelain', '--', below]),
    findIgnored(git, storyId),
  ]);
  if (ignored) throw ignored;
  const isMissing = !existsSync(storyFile(to));
  const isUntouched = !isBegun && status === '';
  const isCarried = existsSync(from) && (isMissing || isUntouched);
  if (isCarried) copyFolder(from, to);
  // It goes into the branch: a path of this machine would be nobody else's business.
  const place = { branch, worktree: relative(paths.root, folder).split(sep).join('/') };
  const isChanged = await saveStoryFields(paths, storyId, place);
  // What a run left in the folder of a story that has begun is looked at before it is committed.
  if (isBegun && !isCarried && !isChanged) return;
  if (await commitPath(git, below, `saga: begin story ${storyId}`)) {
    emit('story:committed', { path: below });
  }
}

/** git must not ignore the plan: statuses and evidence could never be committed. */
export async function findIgnored(git: Git, storyId: string): Promise<SagaError | undefined> {
  const below = `.saga/stories/${storyId}`;
  const files = [storyFile(below), evidenceFile(below), journalFile(below)];
  const found = await git.attempt(['check-ignore', '-v', '--no-index', ...files]);
  const [, rule, path] = /^(.+)\t(.+)$/m.exec(found.stdout) ?? [];
  if (found.code !== 0 || rule === undefined) return undefined;
  const [place, line, ...pattern] = rule.split(':');
  return new SagaError(
    'git-failed',
    `git ignores ${path} in ${git.folder} (${place}, line ${line}: ${pattern.join(':')}), so the story cannot be kept in its branch.`,
    `Take that line out of ${place} and commit; .saga/.gitignore leaves out what need not be tracked.`,
  );
}

/** Prepared beside its place, so that a kill leaves the old copy or the new one. */
function copyFolder(from: string, to: string): void {
  const prepared = join(dirname(to), `.${process.pid}.carry.tmp`);
  try {
    mkdirSync(dirname(to), { recursive: true });
    rmSync(prepared, { recursive: true, force: true });
    cpSync(from, prepared, {
      recursive: true,
      filter: (path) => !/(^|\/)\.[^/]*\.tmp$/.test(path.slice(from.length)),
    });
    rmSync(to, { recursive: true, force: true });
    renameSync(prepared, to);
  } catch (error) {
    throw toWriteError(error, to);
  }
}
