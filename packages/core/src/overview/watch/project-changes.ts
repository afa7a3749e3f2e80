import { relative, sep } from 'node:path';
import type { Paths } from '../../project/paths.ts';
import { parseWorkerLock } from '../scan-project.ts';

/** What may have changed; the receiver must read it again. */
export interface ProjectChanges {
  stories: Set<string>;
  epics: boolean;
  config: boolean;
  /** Whether drafts may have changed. */
  drafts: boolean;
  /** The names of sessions. */
  sessions: Set<string>;
  /** The stories whose worker started or ended. */
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
 * Adds the meaning of a changed path below `.saga`. Ignores names that begin with a dot: these files
 * are still being written.
 */
export function addChangedPath(changes: ProjectChanges, paths: Paths, path: string): void {
  const [room = '', first = '', second = ''] = relative(paths.saga, path).split(sep);
  if (first.startsWith('.') || second.startsWith('.')) return;
  if (room === 'stories' && first !== '') changes.stories.add(first);
  else if (room === 'epics') changes.epics = true;
  else if (room === 'config.json') changes.config = true;
  else if (room === 'runs' && first === 'drafts') changes.drafts = true;
  else if (room === 'runs' && second === '')
    changes.all ||= ['sessions', 'locks', 'held'].includes(first);
  else if (room === 'runs' && first === 'sessions' && second.endsWith('.json')) {
    changes.sessions.add(second.slice(0, -'.json'.length));
  } else if (room === 'runs' && first === 'locks') {
    const story = parseWorkerLock(second);
    if (story !== undefined) changes.workers.add(story);
  } else if (room === 'runs' && first === 'held') changes.workers.add(second);
}

/**
 * Whether a path is a folder whose files may be new: files created before the folder was watched were
 * not reported.
 */
export function isFolderOfFiles(paths: Paths, path: string): boolean {
  const [room = '', ...below] = relative(paths.saga, path).split(sep);
  return ['stories', 'runs'].includes(room) && below.length === 1;
}
