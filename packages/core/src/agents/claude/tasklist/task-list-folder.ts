import { join } from 'node:path';
import { findNearest } from '@saga-ai/types/words/nearest';
import { SagaError, toWriteError } from '../../../errors.ts';
import { ensureFolder } from '../../../files/ensure-folder.ts';
import { listFolder } from '../../../files/list-folder.ts';
import { isFolder } from '../../../project/find-project.ts';
import type { AgentHome } from '../../agent.ts';

/** Replaces every other character with a dash, as the client does in list ids and task ids. */
export function sanitise(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '-');
}

export function tasksFolder({ config }: AgentHome): string {
  return join(config, 'tasks');
}

export function taskListFolder(home: AgentHome, listId: string): string {
  return join(tasksFolder(home), sanitise(listId));
}

/** Returns the folder of an existing list. Otherwise throws an error that suggests the closest name. */
export function requireTaskList(home: AgentHome, listId: string): string {
  const folder = taskListFolder(home, listId);
  if (listId !== '' && isFolder(folder)) return folder;
  throw notFoundList(home, listId);
}

export function ensureTaskList(home: AgentHome, listId: string): string {
  const folder = taskListFolder(home, listId);
  // An empty name would give the folder that holds all lists.
  if (listId === '') throw notFoundList(home, listId);
  try {
    ensureFolder(folder);
    return folder;
  } catch (error) {
    throw toWriteError(error, folder);
  }
}

function notFoundList(home: AgentHome, listId: string): SagaError {
  const near = findNearest(sanitise(listId), listFolder(home.config, tasksFolder(home)));
  return new SagaError(
    'not-found',
    `No task list ${JSON.stringify(listId)} in ${tasksFolder(home)}.`,
    near === undefined
      ? 'Name one with --list, or create its first task: saga task create. For tasks of a story, use --story.'
      : `Did you mean --list ${near}?`,
  );
}
