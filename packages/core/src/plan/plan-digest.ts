import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { EVIDENCE_FILE, STORY_FILE } from '@saga-ai/types/plan/plan-paths';
import { PLACE_FIELDS, STANDING_FIELDS } from '@saga-ai/types/plan/task-definition';
import { READ } from '../files/json-file.ts';
import { readIfReadable } from '../files/read-text.ts';

/** The texts of a story's plan, `story.json` and its tasks, by file name. */
export type PlanTexts = ReadonlyMap<string, string>;

/** Whether a file of a story's folder defines the story or a task. */
export const isPlanFile = (name: string): boolean =>
  name.endsWith('.json') && !name.startsWith('.') && name !== EVIDENCE_FILE;

/** Reads the plan in a story's folder. A file that cannot be read counts as empty. */
export function readPlanTexts(folder: string): PlanTexts {
  const names = listPlanFiles(folder);
  return new Map(names.map((name) => [name, readText(`${folder}/${name}`)]));
}

export function listPlanFiles(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isPlanFile).sort();
  } catch {
    // The path is no folder or may not be read. `saga check` reports that.
    return [];
  }
}

/** Returns an empty text if the file cannot be read. `saga check` reports that. */
const readText = (path: string) => readIfReadable(path, READ) ?? '';

/**
 * Returns a digest of the definitions of a plan. Two plans that differ only in fields that workers write have the same
 * digest.
 */
export function digestPlan(texts: PlanTexts): string {
  const hash = createHash('sha1');
  for (const name of [...texts.keys()].sort()) {
    hash.update(`${name}\0${formatFile(name, texts.get(name) ?? '')}\0`);
  }
  return hash.digest('hex');
}

function formatFile(name: string, text: string): string {
  try {
    return JSON.stringify(toDefinition(name, JSON.parse(text)));
  } catch {
    // Not JSON.
    return text;
  }
}

/** Returns the fields that a person writes, with keys in a fixed order at every depth. */
export function toDefinition(name: string, value: unknown): unknown {
  const written = name === STORY_FILE ? PLACE_FIELDS : STANDING_FIELDS;
  return sortKeys(value, written);
}

function sortKeys(value: unknown, without: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((it) => sortKeys(it));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([key]) => !without.includes(key));
  const sorted = fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, field]) => [key, sortKeys(field)]));
}
