import { quote } from '@saga-ai/core/project/quote';
import { filterByGlobs } from '@saga-ai/core/scope/globs';
import type { Rehearsal } from '@saga-ai/types/plan/task';
import { inventTests, inventWork } from './task-work.ts';

interface NamedTask {
  id: string;
  subject: string;
}

/** Globs of the files that a task may change (all files if there are none), and of files that nobody may change. */
export interface Bounds {
  writeFiles: readonly string[] | undefined;
  protectedFiles: readonly string[];
}

/**
 * Work for a task without rehearsal hints, in a story that may change only some files: a new file that
 * matches one of the globs, else a commit without files.
 */
export function fitWork(task: NamedTask, bounds: Bounds): Rehearsal {
  const work = inventWork(inPlainWords(task));
  if (namesOf(work).every((name) => isWithin(name, bounds))) return work;
  const message = work.commit ?? task.id;
  const path = findName(bounds.writeFiles ?? [], [task.id], (name) => isWithin(name, bounds));
  if (path === undefined) return { run: [`git commit -q --allow-empty -m ${quote(message)}`] };
  return { write: { [path]: `rehearsed: ${task.id}\n` }, commit: message };
}

/** Like `fitWork`, for the tests of a task. They must match the globs of test files; if none fits, the rehearsal shows it. */
export function fitTests(task: NamedTask, bounds: Bounds, testFiles: readonly string[]): Rehearsal {
  const work = inventTests(inPlainWords(task));
  const isFine = (name: string) => fits(name, testFiles) && isWithin(name, bounds);
  if (namesOf(work).every(isFine)) return work;
  const names = [task.id, `${task.id}.test`, `${task.id}.spec`];
  const path = findName([...(bounds.writeFiles ?? []), ...testFiles], names, isFine);
  return path === undefined ? work : { ...work, write: { [path]: `fails: ${task.id}\n` } };
}

/** Removes invisible characters, because the client refuses commands that contain them. */
function inPlainWords({ id, subject }: NamedTask): NamedTask {
  return { id, subject: subject.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim() };
}

const namesOf = ({ write = {} }: Rehearsal) => Object.keys(write);

function isWithin(name: string, { writeFiles = [], protectedFiles }: Bounds): boolean {
  const isMine = writeFiles.length === 0 || fits(name, writeFiles);
  return isMine && !fits(name, protectedFiles);
}

const fits = (name: string, globs: readonly string[]) => filterByGlobs([name], globs).length > 0;

function findName(
  globs: readonly string[],
  names: readonly string[],
  isFine: (name: string) => boolean,
): string | undefined {
  return globs
    .filter((glob) => !glob.startsWith('!'))
    .flatMap((glob) => names.map((name) => nameFile(glob, name)))
    .find((name) => name !== undefined && isFine(name));
}

/** Returns undefined for a glob without wildcards that names one file: it leaves no choice of a new name. */
function nameFile(glob: string, name: string): string | undefined {
  const path = glob.replace(/^\.?\//, '');
  if (path.endsWith('/') || !/[*.]/.test(path.slice(path.lastIndexOf('/') + 1))) {
    return `${path.replace(/\/$/, '')}/rehearsed-${name}.md`;
  }
  if (!path.includes('*')) return undefined;
  return path
    .replace(/\*\*\/?$/, `rehearsed-${name}.md`)
    .replaceAll('**/', '')
    .replaceAll('*', `rehearsed-${name}`);
}
