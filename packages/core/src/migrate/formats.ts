import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFolder } from '../files/list-folder.ts';
import type { Paths } from '../project/paths.ts';
import type { OldFile } from './carried.ts';

/** Every format that `saga migrate` reads. */
export const FORMATS = {
  markdown: 'Markdown stories of an older SAGA',
  'task-lists': 'task lists of an older SAGA',
  'task-master': "task-master's tasks.json",
  beads: 'issues of beads',
  'spec-kit': "spec-kit's tasks.md",
} as const;
export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

/** The places of the files of each format. A star stands for one name. */
const PLACES: Record<Format, readonly string[]> = {
  markdown: [
    '.saga/epics/*/epic.md',
    '.saga/epics/*/stories/*/story.md',
    '.saga/epics/*/stories/*/journal.md',
    '.saga/stories/*/story.md',
  ],
  'task-lists': ['.saga/tasks/*/*.json'],
  'task-master': ['.taskmaster/tasks/tasks.json', 'tasks/tasks.json'],
  beads: ['.beads/issues.jsonl', '.beads/beads.jsonl'],
  'spec-kit': ['specs/*/tasks.md', '.specify/specs/*/tasks.md'],
};

export interface OldPlan {
  format: Format;
  /** Paths below the project. */
  files: string[];
}

/** Finds plans in older and foreign formats. Reads names only. */
export function findOldPlans(paths: Paths, formats: readonly Format[] = FORMAT_NAMES): OldPlan[] {
  return formats.flatMap((format) => {
    const files = PLACES[format].flatMap((place) => listMatches(paths.root, place.split('/')));
    const isThere = format !== 'task-lists' || files.some((it) => it.endsWith('/tasklist.json'));
    return files.length > 0 && isThere ? [{ format, files: files.sort() }] : [];
  });
}

function listMatches(root: string, parts: readonly string[], below = ''): string[] {
  const [part, ...rest] = parts;
  if (part === undefined) return isFile(join(root, below)) ? [below] : [];
  const step = (name: string) => listMatches(root, rest, below === '' ? name : `${below}/${name}`);
  if (!part.includes('*')) return step(part);
  const end = part.slice(1);
  const names = listFolder(root, join(root, below), []);
  // SAGA cannot pass a name with a line break to git.
  const isPlain = (name: string) => !name.startsWith('.') && !/[\r\n]/.test(name);
  return names.filter((name) => name.endsWith(end) && isPlain(name)).flatMap(step);
}

/** A link could lead anywhere, so it is not followed. */
function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    // Nothing is there, or a file stands where a folder should be: it is not a plan of this format.
    return false;
  }
}

export function loadOldFiles({ root }: Paths, files: readonly string[]): OldFile[] {
  return files.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
