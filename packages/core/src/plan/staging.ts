import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { isId } from '@saga-ai/types/plan/ids';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';
import { SagaError, toSystemError, toWriteError } from '../errors.ts';
import {
  ensureIgnoredFolder,
  syncFolder,
  writeDurably,
  writeFileAtomic,
} from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { formatJson } from '../files/json-text.ts';
import { listFolder } from '../files/list-folder.ts';
import { readIfThere } from '../files/read-text.ts';
import { findLockOwner } from '../processes/lock.ts';
import {
  journalFile,
  mainStoryFolder,
  type Paths,
  stageFolder,
  storyFile,
  taskFile,
  workerLock,
} from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';

export interface StagedFiles {
  stories: readonly { story: Story; tasks: readonly Task[]; journal?: string }[];
  /** The text of each epic file, by id. */
  epics: ReadonlyMap<string, string>;
  /** Changes of stories that exist already. */
  changes?: readonly StagedChange[];
  /**
   * Stories that are removed. They have neither a worktree nor a worker, and the caller has saved them in the trash.
   */
  removes?: readonly string[];
}

/** The file that marks a stage as committed. It lists the ids in the stage. */
const COMMITTED = 'committed';

/**
 * Puts many files in place as one step. They are written and synced in a stage. Once the stage is
 * marked as committed, the next holder of the project lock finishes the moves; before that, the stage
 * has no effect. The caller must hold the project lock.
 */
export function placeTogether(paths: Paths, files: StagedFiles): void {
  const stage = stageFolder(paths, `${Date.now().toString(36)}-${process.pid}`);
  try {
    writeStage(paths, stage, files);
  } catch (error) {
    rmSync(stage, { recursive: true, force: true });
    throw toSystemError(error, paths.saga);
  }
  const moved: string[] = [];
  try {
    moveStage(paths, stage, (folder) => moved.push(folder));
  } catch (error) {
    // The file system refused a move: undo exactly the moves that were made.
    for (const folder of moved) rmSync(folder, { recursive: true, force: true });
    putBack(paths, stage);
    undoChanges(paths, stage);
    rmSync(stage, { recursive: true, force: true });
    throw toWriteError(error, paths.stories);
  }
}

function writeStage(paths: Paths, stage: string, files: StagedFiles): void {
  const { stories, epics, changes = [], removes = [] } = files;
  ensureIgnoredFolder(paths.passing);
  ensureFolder(join(stage, 'stories'));
  mkdirSync(join(stage, 'epics'));
  for (const { story, tasks, journal } of stories) {
    const folder = join(stage, 'stories', story.id);
    mkdirSync(folder);
    writeDurably(storyFile(folder), formatJson(story));
    for (const task of tasks) writeDurably(taskFile(folder, task.id), formatJson(task));
    if (journal !== undefined) writeDurably(journalFile(folder), journal);
    syncFolder(folder);
  }
  for (const [id, text] of epics) writeDurably(join(stage, 'epics', `${id}.json`), text);
  if (changes.length > 0) writeChanges(stage, changes);
  if (removes.length > 0) writeRemovals(paths, stage, removes);
  ensureFolder(paths.stories);
  ensureFolder(paths.epics);
  for (const folder of [join(stage, 'stories'), join(stage, 'epics')]) syncFolder(folder);
  const changed = [...changes.map(({ story }) => story), ...removes];
  const ids = [...new Set([...stories.map(({ story }) => story.id), ...epics.keys(), ...changed])];
  writeDurably(join(stage, COMMITTED), formatJson(ids));
  for (const folder of [stage, paths.staging]) syncFolder(folder);
}

function moveStage(paths: Paths, stage: string, note: (folder: string) => void = () => {}): void {
  finishChanges(paths, stage);
  ensureFolder(paths.stories);
  ensureFolder(paths.epics);
  for (const id of listFolder(stage, join(stage, 'stories'))) {
    const folder = mainStoryFolder(paths, id);
    renameSync(join(stage, 'stories', id), folder);
    note(folder);
  }
  removeStories(paths, stage);
  syncFolder(paths.stories);
  for (const name of listFolder(stage, join(stage, 'epics'))) {
    renameSync(join(stage, 'epics', name), join(paths.epics, name));
  }
  syncFolder(paths.epics);
  rmSync(stage, { recursive: true, force: true });
}

/**
 * Completes the committed stages of killed writers and removes the others. The caller must hold the
 * project lock.
 */
export function finishInterrupted(paths: Paths): void {
  for (const name of listFolder(paths.root, paths.staging)) {
    const stage = stageFolder(paths, name);
    if (!existsSync(join(stage, COMMITTED))) {
      rmSync(stage, { recursive: true, force: true });
      continue;
    }
    // A change of the plan during a run would count as the run's own, so the stage waits until the worker has ended.
    if (isWorkedOn(paths, stage)) continue;
    try {
      if (areChangesOutdated(paths, stage)) {
        // Somebody has changed a story meanwhile, so the interrupted edit is undone.
        undoChanges(paths, stage);
        rmSync(stage, { recursive: true, force: true });
      } else moveStage(paths, stage);
    } catch (cause) {
      throw new SagaError(
        'unfinished-create',
        `An earlier saga create, edit or migrate cannot be finished: the files in ${stage} cannot be moved into place.`,
        `Check what it contains, then remove it: rm -r ${stage}`,
        { cause },
      );
    }
  }
}

/** Lists the ids of committed creations that were interrupted. Some may be in place already. */
export function listInterrupted(paths: Paths): Set<string> {
  const ids = listFolder(paths.root, paths.staging).flatMap((name) => {
    try {
      return JSON.parse(
        readFileSync(join(stageFolder(paths, name), COMMITTED), 'utf8'),
      ) as string[];
    } catch {
      // The stage is not committed, so it has no effect.
      return [];
    }
  });
  return new Set(ids);
}

/**
 * A change of one file of a story that exists: `story` or a task. The place is never stored as a path, because files of
 * a repository must not decide where SAGA writes.
 */
export interface StagedChange {
  story: string;
  /** `story`, or the id of a task. */
  name: string;
  /** The text before and after. Null means that the file does not exist. */
  before: string | null;
  after: string | null;
}

const CHANGES = 'changes.json';
/**
 * The file that marks that all changes are made, so that a later edit of the same files is not taken for an unfinished
 * part of this one.
 */
const CHANGED = 'changed';

function writeChanges(stage: string, changes: readonly StagedChange[]): void {
  writeDurably(join(stage, CHANGES), formatJson(changes));
}

/** Makes the changes of a stage that are not made yet. */
function finishChanges(paths: Paths, stage: string): void {
  if (!isPending(stage)) return;
  for (const change of readChanges(stage)) save(paths, change, change.after);
  writeDurably(join(stage, CHANGED), '');
  syncFolder(stage);
}

/** Takes back the changes of a stage in files that nobody has changed since. */
function undoChanges(paths: Paths, stage: string): void {
  for (const change of readChanges(stage)) {
    if (read(paths, change) === change.after) save(paths, change, change.before);
  }
}

/** Whether the text of a file is neither the one before the change nor the one after it. */
function areChangesOutdated(paths: Paths, stage: string): boolean {
  if (!isPending(stage)) return false;
  return readChanges(stage).some((change) => {
    const now = read(paths, change);
    return now !== change.before && now !== change.after;
  });
}

function isWorkedOn(paths: Paths, stage: string): boolean {
  const touched = [...(isPending(stage) ? readChanges(stage) : []), ...readRemovals(stage)];
  return touched.some(
    ({ story }) => isId(story) && findLockOwner(workerLock(paths, story)) !== undefined,
  );
}

/** A story that is removed, and the digest of its files: only files that were saved may be removed. */
interface Removal {
  story: string;
  digest: string;
}

const REMOVES = 'removes.json';
/** Returns the folder into which a removed story is moved. The folder is deleted with the stage. */
const asideIn = (stage: string, story: string) => join(stage, `removed-${story}`);

function writeRemovals(paths: Paths, stage: string, ids: readonly string[]): void {
  const removals = ids.map((story): Removal => {
    return { story, digest: digestFolder(mainStoryFolder(paths, story)) };
  });
  writeDurably(join(stage, REMOVES), formatJson(removals));
}

function readRemovals(stage: string): Removal[] {
  if (!existsSync(join(stage, REMOVES))) return [];
  return JSON.parse(readFileSync(join(stage, REMOVES), 'utf8')) as Removal[];
}

/** Removes stories, each in one step. Keeps a story that somebody changed or began since, and saga check names it. */
function removeStories(paths: Paths, stage: string): void {
  for (const { story, digest } of readRemovals(stage)) {
    if (!isId(story)) continue;
    const folder = mainStoryFolder(paths, story);
    const isAsSaved = findStoryHome(paths, story) === folder && digestFolder(folder) === digest;
    if (isAsSaved) renameSync(folder, asideIn(stage, story));
  }
}

function putBack(paths: Paths, stage: string): void {
  for (const { story } of readRemovals(stage)) {
    const aside = asideIn(stage, story);
    if (existsSync(aside)) renameSync(aside, mainStoryFolder(paths, story));
  }
}

function digestFolder(folder: string): string {
  const hash = createHash('sha256');
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((it) => !it.isDirectory()).map((it) => join(it.parentPath, it.name));
  for (const path of files.toSorted()) {
    // A plan has only plain files. Any other entry, such as a link, changes the digest of the folder.
    const content = lstatSync(path).isFile() ? readFileSync(path) : 'none';
    const inner = createHash('sha256').update(content).digest('hex');
    hash.update(`${relative(folder, path)}\0${inner}\n`);
  }
  return hash.digest('hex');
}

const isPending = (stage: string): boolean =>
  existsSync(join(stage, CHANGES)) && !existsSync(join(stage, CHANGED));

function readChanges(stage: string): StagedChange[] {
  if (!existsSync(join(stage, CHANGES))) return [];
  return JSON.parse(readFileSync(join(stage, CHANGES), 'utf8')) as StagedChange[];
}

function placeOf(paths: Paths, { story, name }: StagedChange): string {
  const home = isId(story) && isId(name) ? findStoryHome(paths, story) : undefined;
  if (home === undefined) {
    throw new SagaError('not-found', `Story ${story} is gone.`, 'saga check shows what is left.');
  }
  return join(home, `${name}.json`);
}

function read(paths: Paths, change: StagedChange): string | null {
  const path = placeOf(paths, change);
  return readIfThere(path) ?? null;
}

function save(paths: Paths, change: StagedChange, text: string | null): void {
  const path = placeOf(paths, change);
  if (text === null) rmSync(path, { force: true });
  else if (read(paths, change) !== text) writeFileAtomic(path, text);
}
