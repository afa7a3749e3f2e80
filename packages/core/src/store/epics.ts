import { basename } from 'node:path';
import { Epic } from '@saga-ai/types/epic';
import { ID_RULE, isId } from '@saga-ai/types/ids';
import type { Problem } from '@saga-ai/types/problem';
import { displayPath } from '../project/display-path.ts';
import { epicFile, type Paths } from '../project/paths.ts';
import { readJsonFile } from './json-file.ts';
import { listFolder } from './list-folder.ts';

/** Every epic that can be read, and what is wrong with the others. */
export function readEpics(paths: Paths): {
  epics: Epic[];
  problems: Problem[];
  names: string[];
} {
  const names: string[] = [];
  const epics: Epic[] = [];
  const problems: Problem[] = [];
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
    if (!isId(id)) problems.push(describeBadName(id, file));
    if (result.value.id !== id) problems.push(describeMismatch(result.value.id, id, file));
    // The file name is the key: a mismatch is reported, and never makes two epics of one.
    epics.push({ ...result.value, id });
  }
  return { epics, problems, names };
}

function describeMismatch(found: string, id: string, file: string): Problem {
  return {
    code: 'id-mismatch',
    message: `${file}: "id" is ${JSON.stringify(found)}, but the name says ${id}.`,
    hint: `Set "id": "${id}", or rename the file to match.`,
    file,
    field: 'id',
    epic: id,
  };
}

function describeBadName(id: string, file: string): Problem {
  return {
    code: 'invalid-id',
    message: `${file}: ${JSON.stringify(id)} is not a valid epic id.`,
    hint: `Rename the file: ${ID_RULE}.`,
    file,
    epic: id,
  };
}
