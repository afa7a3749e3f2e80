import { basename } from 'node:path';
import { Epic } from '@saga-ai/types/plan/epic';
import { findParents, listAround } from '@saga-ai/types/plan/epic-parents';
import { isId } from '@saga-ai/types/plan/ids';
import type { Problem } from '@saga-ai/types/words/problem';
import { readJsonFile } from '../files/json-file.ts';
import { listFolder } from '../files/list-folder.ts';
import { displayPath } from '../project/display-path.ts';
import { epicFile, type Paths } from '../project/paths.ts';
import { describeBadName, describeMismatch } from './id-problems.ts';
import { describeUnknown } from './unknown-problems.ts';

/** Reads all epics. Returns those that can be read, and the problems of the others. */
export function readEpics(paths: Paths): {
  epics: Epic[];
  problems: Problem[];
  /** Problems about fields that SAGA does not know, which have no effect. */
  unknown: Problem[];
  names: string[];
} {
  const names: string[] = [];
  const epics: Epic[] = [];
  const problems: Problem[] = [];
  const unknown: Problem[] = [];
  for (const name of listFolder(paths.root, paths.epics, problems).sort()) {
    if (!name.endsWith('.json')) continue;
    names.push(name);
    const id = basename(name, '.json');
    const path = epicFile(paths, id);
    const file = displayPath(paths.root, path);
    const result = readJsonFile(paths.root, path, Epic);
    if ('problems' in result) {
      problems.push(...result.problems.map((problem) => ({ ...problem, epic: id })));
      continue;
    }
    if (!isId(id)) problems.push({ ...describeBadName(id, file), epic: id });
    if (result.value.id !== id) {
      problems.push({ ...describeMismatch(result.value.id, id, file), epic: id });
    }
    for (const it of describeEpic(result.value, file)) unknown.push({ ...it, epic: id });
    // The file name is the key: a different `id` inside is reported and does not create a second epic.
    epics.push({ ...result.value, id });
  }
  return { epics, problems, unknown, names };
}

function describeEpic(epic: Epic, file: string): Problem[] {
  const fileOf = () => file;
  return [
    ...describeUnknown(epic, 'epic', fileOf),
    ...epic.children.flatMap((child, at) =>
      describeUnknown(child, 'child', fileOf, `children[${at}].`),
    ),
  ];
}

/** The epics around a story or an epic, from the inside to the outside. */
export function listEpicsAround(paths: Paths, id: string): string[] {
  return listAround(findParents(readEpics(paths).epics), id);
}
