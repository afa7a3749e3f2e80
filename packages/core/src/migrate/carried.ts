import type { Epic, EpicChild } from '@saga-ai/types/plan/epic';
import { deriveFreeId, isId } from '@saga-ai/types/plan/ids';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task, TaskStatus } from '@saga-ai/types/plan/task';

/** A file of an older plan: its path below the project, and its text. */
export interface OldFile {
  path: string;
  text: string;
}

export interface CarriedStory {
  story: Story;
  tasks: Task[];
  journal?: string;
}

/** Where a part of an older plan went, and what it became there. */
export interface Mapped {
  kind: 'epic' | 'story' | 'task' | 'journal';
  from: string;
  /** In words, such as `story cart-api`. */
  to: string;
}

/** The new plan that an older plan becomes. */
export interface Carried {
  epics: Epic[];
  stories: CarriedStory[];
  /** Which part of the older plan became which part of the new one. */
  mapped: Mapped[];
  /** The parts that cannot be carried over unchanged, each with what happened to it. */
  notes: { from: string; note: string }[];
}

export const createCarried = (): Carried => ({ epics: [], stories: [], mapped: [], notes: [] });

export const mapTo = (kind: Mapped['kind'], from: string, id: string): Mapped => ({
  ...{ kind, from },
  to: kind === 'journal' ? `journal of ${id}` : `${kind} ${id}`,
});

/** Gives out ids that are not taken. Stories and epics share one set, tasks have one for each story. */
export class Names {
  private readonly taken = new Set<string>();

  take(wanted: string, otherwise: string): string {
    const id = isId(wanted) && !this.taken.has(wanted) ? wanted : this.derive(wanted, otherwise);
    this.taken.add(id);
    return id;
  }

  private derive(wanted: string, otherwise: string): string {
    return deriveFreeId(wanted, otherwise, (id) => this.taken.has(id));
  }
}

const COMPLETED = /^(?:completed?|done|closed|finished|finish)$/;
const BEGUN = /^(?:in[_ -]?progress|ongoing|started|review|hooked)$/;

/** Reads a status by any of the names that the older formats use. */
export function toStatus(value: unknown): TaskStatus {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (COMPLETED.test(text)) return 'completed';
  return BEGUN.test(text) ? 'in_progress' : 'pending';
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** Joins paragraphs, and leaves out empty ones. */
export const joinTexts = (...texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== '').join('\n\n');

/** Returns only the fields that have a text. */
export function withTexts<T extends string>(fields: Record<T, string>): Partial<Record<T, string>> {
  const given = Object.entries<string>(fields).filter(([, text]) => text.trim() !== '');
  return Object.fromEntries(given) as Partial<Record<T, string>>;
}

/** Keeps only references to siblings, each once, and names the others. */
export function keepSiblings(
  from: string,
  child: EpicChild,
  siblings: ReadonlySet<string>,
  notes: Carried['notes'],
): EpicChild {
  const known = [...new Set(child.blockedBy)].filter((id) => id !== child.id && siblings.has(id));
  for (const id of child.blockedBy) {
    if (known.includes(id)) continue;
    notes.push({ from, note: `${child.id} waited for ${id}, which is not beside it: dropped` });
  }
  return { ...child, blockedBy: known };
}
