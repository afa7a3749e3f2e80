import { dirname, relative, sep } from 'node:path';
import {
  draftsFolder,
  heldFolder,
  type Paths,
  parseItemLock,
  parseSessionRecordName,
} from '../../project/paths.ts';

/** What may have changed; the receiver must read it again. */
export interface ProjectChanges {
  stories: Set<string>;
  epics: boolean;
  config: boolean;
  /** Whether drafts may have changed. */
  drafts: boolean;
  /** The names of sessions. */
  sessions: Set<string>;
  /** The stories whose worker, and the epics whose scheduler, started or ended. */
  workers: Set<string>;
  /** Whether branches of the repository may have moved. */
  git: boolean;
  /** True if the watcher missed events, so that anything may have changed. */
  all: boolean;
}

/** Receives what may have changed. A returned promise resolves when everything was read. */
export type Report = (changes: ProjectChanges) => void | Promise<void>;

export const createChanges = (): ProjectChanges => ({
  stories: new Set(),
  epics: false,
  config: false,
  drafts: false,
  sessions: new Set(),
  workers: new Set(),
  git: false,
  all: false,
});

export function isEmpty(changes: ProjectChanges): boolean {
  const { stories, sessions, workers, epics, config, drafts, git, all } = changes;
  const isAny = epics || config || drafts || git || all;
  return stories.size + sessions.size + workers.size === 0 && !isAny;
}

export function mergeChanges(into: ProjectChanges, from: ProjectChanges): void {
  for (const key of ['stories', 'sessions', 'workers'] as const) {
    for (const name of from[key]) into[key].add(name);
  }
  for (const key of ['epics', 'config', 'drafts', 'git', 'all'] as const) into[key] ||= from[key];
}

/**
 * Adds the meaning of a changed path of the plan or among the records. Ignores names that begin with a dot: these files
 * are still being written.
 */
export function addChangedPath(changes: ProjectChanges, paths: Paths, path: string): void {
  const [, ...inside] = listBelow(paths.saga, path) ?? listBelow(dirname(paths.runs), path) ?? [];
  if (inside.slice(0, 2).some((name) => name.startsWith('.'))) return;
  const foldersOfNames = [paths.sessions, paths.locks, heldFolder(paths)];
  const [story] = listBelow(paths.stories, path) ?? [];
  const [session, lock, held] = foldersOfNames.map((folder) => listBelow(folder, path)?.[0]);
  if (story !== undefined) changes.stories.add(story);
  else if (listBelow(paths.epics, path)) changes.epics = true;
  else if (listBelow(paths.config, path)) changes.config = true;
  else if (listBelow(draftsFolder(paths), path)) changes.drafts = true;
  else if (foldersOfNames.some((folder) => listBelow(folder, path)?.length === 0)) {
    changes.all = true;
  } else if (session !== undefined) {
    const name = parseSessionRecordName(session);
    if (name !== undefined) changes.sessions.add(name);
  } else if (lock !== undefined) {
    const { kind, id } = parseItemLock(lock) ?? {};
    const isOfRun = kind === 'worker' || kind === 'epic';
    if (isOfRun && id !== undefined) changes.workers.add(id);
  } else if (held !== undefined) changes.workers.add(held);
}

/**
 * Whether a path is a folder whose files may be new: files created before the folder was watched were
 * not reported.
 */
export function isFolderOfFiles(paths: Paths, path: string): boolean {
  return [paths.stories, paths.runs].some((folder) => listBelow(folder, path)?.length === 1);
}

/** The names on the way from a folder to a path; none for the folder itself. Undefined if the path is not inside. */
function listBelow(folder: string, path: string): string[] | undefined {
  const way = relative(folder, path);
  if (way === '') return [];
  const names = way.split(sep);
  return names[0] === '..' ? undefined : names;
}
