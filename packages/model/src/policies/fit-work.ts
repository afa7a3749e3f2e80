import { quote } from '@saga-ai/core/processes/quote';
import { filterByGlobs } from '@saga-ai/core/scope/globs';
import type { Rehearsal } from '@saga-ai/types/plan/task';
import { inventTests, inventWork } from './task-work.ts';

interface NamedTask {
  id: string;
  subject: string;
}

/** Globs of what a task may change, all if there are none, and of what nobody may. */
export interface Bounds {
  writeFiles: readonly string[] | undefined;
  protectedFiles: readonly string[];
}

/**
 * Work for a task nobody has written hints for, in a story that may change only some files: a new
 * file that fits one of the globs, else a commit without any.
 */
export function fitWork(task: NamedTask, bounds: Bounds): Rehearsal {
  const work = inventWork(inPlainWords(task));
  if (namesOf(work).every((name) => isWithin(name, bounds))) return work;
  const message = work.commit ?? task.id;
  const path = findName(bounds.writeFiles ?? [], [task.id], (name) => isWithin(name, bounds));
  if (path === undefined) return { run: [`git commit -q --allow-empty -m ${quote(message)}`] };
  return { write: { [path]: `rehearsed: ${task.id}\n` }, commit: message };
}

/** The same for its tests, which must be where tests may be; if nothing is, that is worth finding out. */
export function fitTests(task: NamedTask, bounds: Bounds, testFiles: readonly string[]): Rehearsal {
  const work = inventTests(inPlainWords(task));
  const isFine = (name: string) => fits(name, testFiles) && isWithin(name, bounds);
  if (namesOf(work).every(isFine)) return work;
  const names = [task.id, `${task.id}.test`, `${task.id}.spec`];
  const path = findName([...(bounds.writeFiles ?? []), ...testFiles], names, isFine);
  return path === undefined ? work : { ...work, write: { [path]: `fails: ${task.id}\n` } };
}

/** The client refuses commands with characters that nobody sees, and they are told of nowhere else. */
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

/** Of a glob that names one file there is no new one. */
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
