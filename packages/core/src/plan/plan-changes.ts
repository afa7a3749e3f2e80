import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '@saga-ai/types/plan/ids';
import { SagaError } from '../errors.ts';
import { syncFolder, writeDurably, writeFileAtomic } from '../files/atomic-write.ts';
import { formatJson } from '../files/json-text.ts';
import type { Paths } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';

/**
 * A change of one file of a story that exists: `story` or a task. The place is never stored as a path:
 * what a repository brings along must not decide where SAGA writes.
 */
export interface PlanChange {
  story: string;
  /** `story`, or the id of a task. */
  name: string;
  /** The text before and after; null if the file is not there. */
  before: string | null;
  after: string | null;
}

const CHANGES = 'changes.json';
/** Marks that all changes are made, so that a later edit of the same files is not mistaken for a half of this one. */
const CHANGED = 'changed';

export function writeChanges(stage: string, changes: readonly PlanChange[]): void {
  writeDurably(join(stage, CHANGES), formatJson(changes));
}

/** Makes the changes of a stage that are not made yet. */
export function finishChanges(paths: Paths, stage: string): void {
  if (!isPending(stage)) return;
  for (const change of readChanges(stage)) save(paths, change, change.after);
  writeDurably(join(stage, CHANGED), '');
  syncFolder(stage);
}

/** Takes back the changes of a stage, where nobody changed the file since. */
export function undoChanges(paths: Paths, stage: string): void {
  for (const change of readChanges(stage)) {
    if (read(paths, change) === change.after) save(paths, change, change.before);
  }
}

/** Whether a file is neither as it was before nor as it is to be. */
export function areChangesOutdated(paths: Paths, stage: string): boolean {
  if (!isPending(stage)) return false;
  return readChanges(stage).some((change) => {
    const now = read(paths, change);
    return now !== change.before && now !== change.after;
  });
}

const isPending = (stage: string): boolean =>
  existsSync(join(stage, CHANGES)) && !existsSync(join(stage, CHANGED));

function readChanges(stage: string): PlanChange[] {
  if (!existsSync(join(stage, CHANGES))) return [];
  return JSON.parse(readFileSync(join(stage, CHANGES), 'utf8')) as PlanChange[];
}

function placeOf(paths: Paths, { story, name }: PlanChange): string {
  const home = isId(story) && isId(name) ? findStoryHome(paths, story) : undefined;
  if (home === undefined) {
    throw new SagaError('not-found', `Story ${story} is gone.`, 'saga check shows what is left.');
  }
  return join(home, `${name}.json`);
}

function read(paths: Paths, change: PlanChange): string | null {
  const path = placeOf(paths, change);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function save(paths: Paths, change: PlanChange, text: string | null): void {
  const path = placeOf(paths, change);
  if (text === null) rmSync(path, { force: true });
  else if (read(paths, change) !== text) writeFileAtomic(path, text);
}
