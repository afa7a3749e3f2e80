import type { Block } from './blocks.ts';
import { findLabel, type Kind, type Label, nameField } from './labels.ts';
import { readNames, readValue } from './values.ts';

/** Something in a plan that cannot be what its author meant. */
export interface Slip {
  /** The number of the line, counted from 1. */
  line: number;
  message: string;
  hint: string;
}

/** A part of a text: its lines, the outermost blocks in it, and how many lines stand above it in the file. */
export interface Part {
  lines: readonly string[];
  blocks: readonly Block[];
  offset: number;
}

export interface Body {
  description: string;
  /** The fields that labels and the block `saga` name. */
  fields: Record<string, unknown>;
  /** The line of each field. */
  lineOf: Map<string, number>;
  /** Lists whose items are tasks. */
  taskLists: Block[];
}

/** The word behind the marks of a block of code that holds fields as JSON. */
export const JSON_BLOCK = 'saga';

const LABEL = /^ {0,3}\*\*([^*:\n]{1,40})(?::\*\*|\*\*:)[ \t]*(.*)$/;
const AFTER = /^ {0,3}after:[ \t]*(\S.*)$/i;

/** Which lists of a body are tasks: none, those that stand by themselves, or those below a label. */
export type TaskLists = 'none' | 'free' | 'labelled';

interface Section {
  label: Label | undefined;
  line: number;
  lines: string[];
}

/** Reads the text below a heading: a description, fields with labels, and lists of tasks. */
export function readBody(part: Part, kind: Kind, lists: TaskLists, slips: Slip[]): Body {
  const sections: Section[] = [{ label: undefined, line: part.offset + 1, lines: [] }];
  const body: Body = { description: '', fields: {}, lineOf: new Map(), taskLists: [] };
  const current = () => sections.at(-1) as Section;
  const starts = new Map(part.blocks.map((block) => [block.start, block]));
  const setField = (field: string, value: unknown, line: number) => {
    if (Object.hasOwn(body.fields, field)) {
      slips.push({
        line,
        message: `"${nameField(field)}" of this ${kind} was given before`,
        hint: 'Write both values below one label, or remove one of them.',
      });
    }
    body.fields[field] = value;
    body.lineOf.set(field, line);
  };

  for (let at = 0; at < part.lines.length; ) {
    const block = starts.get(at);
    const line = part.offset + at + 1;
    if (!block) {
      current().lines.push(part.lines[at] ?? '');
      at++;
      continue;
    }
    const own = part.lines.slice(block.start, block.end);
    if (isOver(current(), block, body)) sections.push({ label: undefined, line, lines: [] });
    if (block.kind === 'fence' && block.text === JSON_BLOCK) {
      const json = readJsonBlock(own, line, slips);
      for (const [field, value] of Object.entries(json)) setField(field, value, line);
    } else if (block.kind === 'list' && isTaskList(current(), lists)) {
      body.taskLists.push(block);
    } else if (block.kind === 'paragraph') {
      own.forEach((text, i) => {
        const after = kind === 'epic' ? undefined : AFTER.exec(text)?.[1];
        if (after !== undefined) setField('blockedBy', readNames(after), line + i);
        else readLine(text, line + i);
      });
    } else if (block.kind !== 'comment') {
      current().lines.push(...own);
    }
    at = block.end;
  }

  function readLine(text: string, line: number): void {
    const [, name = '', rest = ''] = LABEL.exec(text) ?? [];
    const found = name === '' ? undefined : findLabel(name, kind);
    if (found && 'label' in found) {
      sections.push({ label: found.label, line, lines: rest === '' ? [] : [rest] });
      return;
    }
    if (found) {
      const message = `**${name}:** is not a field of ${kind === 'epic' ? 'an epic' : `a ${kind}`}`;
      slips.push({ line, message, hint: found.slip });
    }
    current().lines.push(text);
  }

  for (const { label, line, lines } of sections) {
    const text = trimBlank(lines).join('\n');
    if (!label) body.description += body.description && text ? `\n\n${text}` : text;
    else if (label.shape === 'tasks') checkNone(text, line, slips);
    else {
      const read = readValue(text, label.shape);
      if ('value' in read) setField(label.field, read.value, line);
      else slips.push({ line, message: `**${label.name}:** ${read.reason}`, hint: 'Correct it.' });
    }
  }
  return body;
}

/**
 * Whether the value of a label ended before a block. A text goes on to the next label or heading. Any other value, such
 * as a command, is one block; the blocks after it belong to the description.
 */
function isOver({ label, lines }: Section, block: Block, { taskLists }: Body): boolean {
  if (!label || label.shape === 'text') return false;
  const hasValue = lines.some((line) => line.trim() !== '');
  if (label.shape !== 'tasks') return hasValue;
  return block.kind !== 'list' && (hasValue || taskLists.length > 0);
}

/** Reports text below **Tasks:** that is in no list, because it would be lost. */
function checkNone(text: string, line: number, slips: Slip[]): void {
  if (text === '' || text.toLowerCase() === 'none') return;
  slips.push({
    line,
    message: '**Tasks:** is followed by text',
    hint: 'Write each task as an item of a list, or write none.',
  });
}

/**
 * Whether the items of a list are tasks. A list that a line with a colon introduces belongs to the text
 * of that line.
 */
function isTaskList(section: Section, lists: TaskLists): boolean {
  if (lists === 'labelled') return section.label?.shape === 'tasks';
  if (lists === 'none') return false;
  const before = section.lines.findLast((line) => line.trim() !== '');
  if (before === undefined) return section.label === undefined;
  return !/:(?:\*\*)?\s*$/.test(before);
}

function readJsonBlock(own: readonly string[], line: number, slips: Slip[]): object {
  try {
    const value: unknown = JSON.parse(own.slice(1, -1).join('\n'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The text is not JSON. The code below reports that.
  }
  slips.push({
    line,
    message: `the block \`${JSON_BLOCK}\` is not a JSON object`,
    hint: 'It holds fields that Markdown cannot carry, such as { "labels": ["a, b"] }.',
  });
  return {};
}

/** Removes empty lines at both ends. */
function trimBlank(lines: readonly string[]): string[] {
  const isText = (line: string) => line.trim() !== '';
  const from = lines.findIndex(isText);
  return from === -1 ? [] : lines.slice(from, lines.findLastIndex(isText) + 1);
}
