import * as z from 'zod/mini';
import { findGraphFaults } from './graph.ts';
import { isId } from './ids.ts';
import type { Task } from './task.ts';

/** One of the smaller tasks that a Shaper proposes, with how much it would change. */
const Part = z.object({
  id: z.string().check(z.describe('Lower case letters, digits and hyphens.')),
  subject: z.string().check(z.minLength(1), z.describe('Short imperative title.')),
  description: z
    .string()
    .check(z.minLength(1), z.describe('Everything that a run needs to know for this part.')),
  doneWhen: z
    .string()
    .check(z.minLength(1), z.describe('How to see that this part is done, in a testable way.')),
  blockedBy: z
    .array(z.string())
    .check(z.describe('Ids of the parts that must be completed before this one.')),
  files: z.int().check(z.gte(1), z.describe('How many files this part will change, estimated.')),
  lines: z.int().check(z.gte(1), z.describe('How many lines this part will change, estimated.')),
});
export type Part = z.infer<typeof Part>;

/** What a Shaper answers. */
const Split = z.object({ tasks: z.array(Part) });

/** Builds the JSON Schema of a Shaper's answer. Its dialect is older than the default, because agents know that one. */
export function buildSplitSchema(): object {
  return z.toJSONSchema(Split, { target: 'draft-7' });
}

export interface Ceiling {
  files: number;
  lines: number;
}

export type Replaced = { tasks: Task[]; parts: string[] } | { fault: string };

/**
 * Puts smaller tasks in the place of one. The first of them wait for the task's blockers, and the task's dependents
 * wait for the last of them. All other fields of the other tasks stay as they are. Returns the tasks of the story, or
 * says why the answer is not valid.
 */
export function replaceTask(
  tasks: readonly Task[],
  taskId: string,
  answer: unknown,
  ceiling: Ceiling,
): Replaced {
  const old = tasks.find((it) => it.id === taskId);
  if (!old) return { fault: `the story has no task ${taskId}` };
  const read = z.safeParse(Split, answer);
  if (!read.success) return { fault: 'the answer does not have the form that was asked for' };
  const parts = read.data.tasks;
  const fault = findFault(tasks, old, parts, ceiling);
  if (fault !== undefined) return { fault };
  const waitedFor = new Set(parts.flatMap((it) => it.blockedBy));
  const last = parts.filter((it) => !waitedFor.has(it.id)).map((it) => it.id);
  const replaced = tasks.flatMap((task): Task[] => {
    if (task.id === taskId) return parts.map((part) => toTask(part, old));
    if (!task.blockedBy.includes(taskId)) return [task];
    const blockedBy = task.blockedBy.flatMap((id) => (id === taskId ? last : [id]));
    return [{ ...task, blockedBy: [...new Set(blockedBy)] }];
  });
  return { tasks: replaced, parts: parts.map((it) => it.id) };
}

function findFault(
  tasks: readonly Task[],
  old: Task,
  parts: readonly Part[],
  { files, lines }: Ceiling,
): string | undefined {
  if (parts.length < 2) return 'the answer does not split the task';
  if (parts.length > MOST_PARTS)
    return `the answer has ${parts.length} tasks, more than ${MOST_PARTS}`;
  const known = new Set(parts.map((it) => it.id));
  if (known.size < parts.length) return 'the answer uses an id twice';
  for (const { id, subject, blockedBy, ...part } of parts) {
    if (!isId(id)) return `${JSON.stringify(id)} is not an id`;
    if (tasks.some((it) => it.id === id)) return `the story has a task ${id} already`;
    const stranger = blockedBy.find((it) => !known.has(it));
    if (stranger !== undefined)
      return `${id} waits for ${stranger}, which the answer does not have`;
    if (isSame(subject, old.subject)) return `${id} is the same task as ${old.id}`;
    if (part.files > files) return `${id} would change ${part.files} files, more than ${files}`;
    if (part.lines > lines) return `${id} would change ${part.lines} lines, more than ${lines}`;
  }
  const { cycles, selfBlocked } = findGraphFaults(parts);
  const [circle = selfBlocked] = cycles;
  return circle.length > 0 ? `these wait for each other: ${circle.join(', ')}` : undefined;
}

const MOST_PARTS = 12;

const isSame = (a: string, b: string) => normalise(a) === normalise(b);
const normalise = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * Builds the task of a part. It keeps the fields of the split task that apply to each part, such as the files that it
 * may change.
 */
function toTask({ id, subject, description, doneWhen, blockedBy }: Part, old: Task): Task {
  const { needsTests, writeFiles, area, labels, guidance } = old;
  return {
    id,
    subject,
    description,
    status: 'pending',
    blockedBy: blockedBy.length > 0 ? blockedBy : [...old.blockedBy],
    guidance,
    doneWhen,
    needsTests,
    area,
    labels,
    writeFiles,
    splitFrom: old.id,
  };
}
