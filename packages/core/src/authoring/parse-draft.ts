import type { Problem } from '@saga-ai/types/words/problem';
import { withoutMark } from '@saga-ai/types/words/without-mark';
import { SagaError } from '../errors.ts';
import { toError } from '../files/json-file.ts';
import { findJsonFault } from '../files/json-text.ts';
import type { PlanText } from '../plan-text/read-plan.ts';

/** A draft before it is checked. */
export interface ParsedDraft {
  input: unknown;
  /** Says where in the text a problem is. */
  locate(problem: Problem): Problem;
}

const asItIs = (problem: Problem): Problem => problem;

/** Parses a draft: Markdown or JSON. `label` says where the text comes from, such as the name of a file. */
export async function parseDraft(text: string, label: string): Promise<ParsedDraft> {
  if (!isMarkdown(text, label)) return { input: parseJson(text, label), locate: asItIs };
  // Loaded only here: other commands need no Markdown.
  const { readPlan } = await import('../plan-text/read-plan.ts');
  const read = readPlan(text);
  if (read.slips.length > 0) throw toError(describeSlips(read, label));
  return { input: read.draft, locate: createLocator(read, label) };
}

/** Decides by the name of the file, else by the first character of the text. */
function isMarkdown(text: string, label: string): boolean {
  if (/\.(md|markdown)$/i.test(label)) return true;
  if (/\.json$/i.test(label)) return false;
  const [first] = withoutMark(text).trimStart();
  return first !== undefined && /[#<\-*+\p{L}_>`~]/u.test(first) && !isJson(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(withoutMark(text));
    return true;
  } catch {
    // The caller asked for JSON.
    return false;
  }
}

function parseJson(text: string, label: string): unknown {
  // Some editors write a byte order mark first, which JSON does not allow.
  const draft = withoutMark(text);
  const fault = findJsonFault(draft);
  if (!fault) return JSON.parse(draft);
  throw new SagaError(
    'invalid-draft',
    `The draft from ${label} is not valid JSON (line ${fault.line}: ${fault.reason}).`,
    'Nothing was created. Correct the draft and run the command again.',
  );
}

/** Every slip of a text as a problem, in the order of their lines. */
function describeSlips({ slips }: Pick<PlanText, 'slips'>, label: string): Problem[] {
  return slips
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, message, hint }) => ({
      code: 'invalid-draft',
      message: `${label}, line ${line}: ${message}.`,
      hint,
    }));
}

/** Finds the line of a problem by its field, else by the story and the task that it names. */
function createLocator(read: PlanText, label: string): (problem: Problem) => Problem {
  return (problem) => {
    const line = findLine(read, problem);
    return { ...problem, message: `${label}, line ${line}: ${problem.message}` };
  };
}

/** The line of a problem in the text of a draft. */
export function findLine({ draft, lineOf }: PlanText, { field, story, file }: Problem): number {
  for (let path = field ?? ''; path !== ''; path = path.replace(/(\.|^)[^.]*$/, '')) {
    const line = lineOf.get(path) ?? lineOf.get(path.replace(/\[\d+\]$/, ''));
    if (line !== undefined) return line;
  }
  const stories = (draft?.stories ?? []) as { id?: unknown; tasks?: { id?: unknown }[] }[];
  const at = stories.findIndex(({ id }) => id === story);
  const path = at === -1 ? '' : `stories[${at}]`;
  const tasks = (at === -1 ? draft : stories[at])?.tasks as { id?: unknown }[] | undefined;
  const task = tasks?.findIndex(({ id }) => `task ${id}` === file) ?? -1;
  const inner = task === -1 ? undefined : lineOf.get(`${path ? `${path}.` : ''}tasks[${task}]`);
  return inner ?? lineOf.get(path) ?? 1;
}
