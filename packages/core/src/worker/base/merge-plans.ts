import { STORY_FILE } from '@saga-ai/types/plan/plan-paths';
import { PLACE_FIELDS, STANDING_FIELDS } from '@saga-ai/types/plan/task-definition';
import { editJson } from '../../files/json-text.ts';
import { type PlanTexts, toDefinition } from '../../plan/plan-digest.ts';

/** Three versions of a story's plan. */
export interface Versions {
  /** The last one that both others had. */
  origin: PlanTexts;
  /** The one in the worktree, with the fields that workers wrote. */
  live: PlanTexts;
  /** The one that somebody edited elsewhere. */
  edited: PlanTexts;
}

/** What an update changes in one file of the live plan. */
export interface PlanChange {
  file: string;
  kind: 'changed' | 'added' | 'removed';
  /** The fields that got another value. Empty unless the kind is `changed`. */
  fields: string[];
}

export interface MergedPlan {
  /** The edited plan exactly, with the statuses of the live one. */
  taken: Map<string, string>;
  /** The same as `taken`, with the changes that only the live plan has. */
  merged: Map<string, string>;
  /** What `merged` changes in the live plan. */
  changes: PlanChange[];
  /** Fields that both plans changed differently, such as `story.json: title`. */
  disputed: string[];
}

type Fields = Record<string, unknown>;

/**
 * Takes an edited plan into a live one. Statuses stay, by the id of the task; new tasks are pending. Changes that only
 * the live plan has stay too. If both changed a field, `winner` decides.
 */
export function mergePlans(
  { origin, live, edited }: Versions,
  winner: 'edited' | 'live' = 'edited',
): MergedPlan {
  const taken = new Map<string, string>();
  for (const [name, text] of edited) taken.set(name, withStanding(name, text, live.get(name)));
  const merged = new Map(taken);
  const disputed: string[] = [];
  for (const name of edited.keys()) {
    if (live.has(name)) continue;
    // Removed in the live plan on purpose, and not touched in the other.
    if (origin.has(name) && isSame(name, origin.get(name), edited.get(name))) merged.delete(name);
  }
  for (const [name, text] of live) {
    const other = edited.get(name);
    if (other === undefined) {
      // Added in the live plan; if it was in the origin, the other plan removed it.
      if (!origin.has(name)) merged.set(name, text);
      continue;
    }
    const own: Fields = {};
    const [before, here, there] = [origin.get(name), text, other].map((it) => toFields(name, it));
    for (const field of new Set([...Object.keys(here ?? {}), ...Object.keys(there ?? {})])) {
      const [was, mine, theirs] = [before, here, there].map((it) => JSON.stringify(it?.[field]));
      if (mine === was || mine === theirs) continue;
      if (theirs !== was) disputed.push(`${name}: ${field}`);
      if (theirs === was || winner === 'live') own[field] = here?.[field];
    }
    if (Object.keys(own).length > 0) merged.set(name, editJson(merged.get(name) ?? '{}', own));
  }
  return { taken, merged, changes: listChanges(live, merged), disputed: disputed.sort() };
}

/** Copies the fields that workers write from the live plan into a text. A task that the live plan lacks is pending. */
function withStanding(name: string, text: string, live: string | undefined): string {
  const isStory = name === STORY_FILE;
  const standing = parse(live);
  const blank = isStory ? {} : { status: 'pending' };
  const fields = isStory ? PLACE_FIELDS : STANDING_FIELDS;
  const values = fields.map((field) => [field, (standing ?? (blank as Fields))[field]] as const);
  return editJson(text, Object.fromEntries(values));
}

function listChanges(live: PlanTexts, merged: PlanTexts): PlanChange[] {
  const changes: PlanChange[] = [];
  for (const file of [...new Set([...live.keys(), ...merged.keys()])].sort()) {
    const [before, after] = [live.get(file), merged.get(file)];
    if (after === undefined) changes.push({ file, kind: 'removed', fields: [] });
    else if (before === undefined) changes.push({ file, kind: 'added', fields: [] });
    else {
      const fields = listDifferent(toFields(file, before), toFields(file, after));
      if (fields.length > 0) changes.push({ file, kind: 'changed', fields });
    }
  }
  return changes;
}

function listDifferent(before: Fields, after: Fields): string[] {
  const all = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...all].filter((it) => JSON.stringify(before[it]) !== JSON.stringify(after[it])).sort();
}

function isSame(name: string, a: string | undefined, b: string | undefined): boolean {
  return JSON.stringify(toFields(name, a)) === JSON.stringify(toFields(name, b));
}

/** Returns the definition in a text, or {} if the text is not a JSON object. */
function toFields(name: string, text: string | undefined): Fields {
  return toDefinition(name, parse(text) ?? {}) as Fields;
}

function parse(text: string | undefined): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Fields) : undefined;
  } catch {
    // Not JSON, or not there.
    return undefined;
  }
}
