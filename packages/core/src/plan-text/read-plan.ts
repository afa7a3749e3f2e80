import { deriveFreeId } from '@saga-ai/types/plan/ids';
import { type Block, normalizeText, parseBlocks, unwrapItem } from './blocks.ts';
import { checkIds, checkOrder } from './check-items.ts';
import type { Kind } from './labels.ts';
import { type Body, type Part, readBody, type Slip, type TaskLists } from './read-body.ts';
import { readChildren } from './read-children.ts';
import { resolveNames } from './resolve-names.ts';

/** A draft for `saga create`, not yet checked, and the line of each of its parts. */
export interface PlanText {
  draft: Record<string, unknown> | undefined;
  slips: Slip[];
  /** The line of each part, by its path in the draft: `stories[0].tasks[1].doneWhen`. */
  lineOf: ReadonlyMap<string, number>;
}

/** One heading with everything below it, up to the next heading of a plan. */
interface Section {
  block: Block;
  part: Part;
}

/** An item as it was read, before the ids are known. */
interface Entry {
  title: string;
  id: string | undefined;
  line: number;
  body: Body;
  tasks: Entry[];
}

/** Reads a plan that was written as Markdown. */
export function readPlan(source: string): PlanText {
  const slips: Slip[] = [];
  const text = normalizeText(source);
  const lines = text.split('\n');
  const blocks = parseBlocks(text);
  const sections = splitAtHeadings(lines, blocks);
  const lineOf = new Map<string, number>();
  const none = { draft: undefined, slips, lineOf };
  checkStart(lines, blocks, sections, slips);
  const [first] = sections;
  if (!first) return none;

  const epics = sections.filter(({ block }) => block.level === 1);
  const hasStories = sections.some(({ block }) => block.level === 2);
  const isEpic = epics.length > 0 && (hasStories || saysContains(first));
  const storyLevel = epics.length > 0 && !isEpic ? 1 : 2;
  checkLevels(sections, isEpic, storyLevel, slips);

  const stories = gatherStories(sections, storyLevel, slips);
  if (isEpic) {
    const epic = readEntry(first, 'epic', 'none', slips);
    return { draft: buildEpic(epic, stories, lineOf, slips), slips, lineOf };
  }
  const [story] = stories;
  if (!story) return none;
  const id = nameAll([story], 'story', new Set())[0] ?? '';
  checkIds([{ id, line: story.line }], slips);
  return { draft: buildStory(story, id, undefined, '', lineOf, slips), slips, lineOf };
}

function splitAtHeadings(lines: readonly string[], blocks: readonly Block[]): Section[] {
  const headings = blocks.filter(({ kind, level }) => kind === 'heading' && level <= 3);
  let next = 0;
  return headings.map((block, i) => {
    const end = headings[i + 1]?.start ?? lines.length;
    const inside: Block[] = [];
    while ((blocks[next]?.start ?? end) < end) {
      const it = blocks[next++];
      if (it && it.start >= block.end) inside.push(shift(it, block.end));
    }
    const part = { lines: lines.slice(block.end, end), blocks: inside, offset: block.end };
    return { block, part };
  });
}

const shift = (block: Block, by: number): Block => ({
  ...block,
  start: block.start - by,
  end: block.end - by,
  items: block.items.map(({ start, end }) => ({ start: start - by, end: end - by })),
});

function checkStart(
  lines: readonly string[],
  blocks: readonly Block[],
  sections: readonly Section[],
  slips: Slip[],
): void {
  const [first] = sections;
  const hint =
    'Begin with "# Title of the epic" or, for a single story, with "## Title of the story".';
  const end = first?.block.start ?? lines.length;
  const early = blocks.find(({ kind, start }) => start < end && kind !== 'comment');
  if (early && lines[0] === '---') {
    const message = 'front matter is not part of a plan';
    slips.push({
      line: 1,
      message,
      hint: 'Remove it. saga migrate reads plans of older versions.',
    });
  } else if (early) {
    slips.push({ line: early.start + 1, message: 'text stands above the first heading', hint });
  } else if (!first) {
    slips.push({ line: 1, message: 'the plan has no heading', hint });
  }
}

const saysContains = ({ part }: Section): boolean =>
  part.lines.some((line) => /^ {0,3}\*\*contains(:\*\*|\*\*:)/i.test(line)) ||
  part.lines.some((line) => /^\s*"(children|stories)":/.test(line));

function checkLevels(
  sections: readonly Section[],
  isEpic: boolean,
  storyLevel: number,
  slips: Slip[],
): void {
  const say = ({ block }: Section, message: string, hint: string) =>
    slips.push({ line: block.start + 1, message, hint });
  const [, second] = sections.filter(({ block }) => block.level === 1);
  const [first] = sections;
  if (second) say(second, 'this is a second epic', 'A plan is one epic. Use ## for a story of it.');
  if (isEpic && first?.block.level !== 1) {
    if (first)
      say(first, 'this stands above the epic', 'The epic (#) comes first, its stories follow.');
  }
  const alone = sections.find(({ block }) => block.level === storyLevel);
  const task = sections.find(({ block }) => block.level === 3);
  if (task && (!alone || task.block.start < alone.block.start)) {
    say(task, 'this task has no story', 'Put the heading of its story above it, with ##.');
  }
  const [, other] = sections.filter(({ block }) => block.level === storyLevel);
  if (!isEpic && other && storyLevel === 2) {
    say(
      other,
      'this is a second story, and there is no epic',
      'Put "# Title of the epic" on the first line.',
    );
  }
}

function gatherStories(sections: readonly Section[], level: number, slips: Slip[]): Entry[] {
  const stories: Entry[] = [];
  for (const [i, section] of sections.entries()) {
    if (section.block.level !== level) continue;
    const tasks: Section[] = [];
    for (let at = i + 1; sections[at]?.block.level === 3; at++) {
      const task = sections[at];
      if (task) tasks.push(task);
    }
    const isLabelled = section.part.lines.some((line) =>
      /^ {0,3}\*\*tasks(:\*\*|\*\*:)/i.test(line),
    );
    const lists: TaskLists = tasks.length > 0 ? 'none' : isLabelled ? 'labelled' : 'free';
    const story = readEntry(section, 'story', lists, slips);
    for (const task of tasks) story.tasks.push(readEntry(task, 'task', 'none', slips));
    for (const list of story.body.taskLists)
      story.tasks.push(...readTasks(section.part, list, slips));
    stories.push(story);
  }
  return stories;
}

const OWN_ID = /^(.*?)\s*\{#([^{}\s]*)\}$/s;

function readEntry({ block, part }: Section, kind: Kind, lists: TaskLists, slips: Slip[]): Entry {
  const line = block.start + 1;
  const entry = { ...readTitle(block.text, kind, line, slips), line, tasks: [] };
  return { ...entry, body: readBody(part, kind, lists, slips) };
}

/** Reads a title, which may end with the id of its item, such as `{#cart-api}`. */
function readTitle(text: string, kind: Kind, line: number, slips: Slip[]) {
  const [, title = text, id] = (text.endsWith('}') && OWN_ID.exec(text)) || [];
  if (title === '') {
    const hint = `Write ${kind === 'task' ? 'what to do' : 'its title'} behind the mark.`;
    slips.push({ line, message: `this ${kind} has no title`, hint });
  }
  return { title, id };
}

/** Reads the items of a list as tasks. In a numbered list each waits for the one before. */
function readTasks(part: Part, list: Block, slips: Slip[]): Entry[] {
  return list.items.map((item, i) => {
    const [first = '', ...rest] = unwrapItem(part.lines.slice(item.start, item.end));
    const line = part.offset + item.start + 1;
    const [, box, subject = first] = /^\[([ xX])\]\s+(.*)$/.exec(first) ?? [];
    const [, plain = subject, after] = /^(.*?)\s*\(after:\s*([^()]+)\)$/i.exec(subject) ?? [];
    const inner = { lines: rest, blocks: parseBlocks(rest.join('\n')), offset: line };
    const body = readBody(inner, 'task', 'none', slips);
    const { fields } = body;
    if (box !== undefined && box !== ' ') fields.status ??= 'completed';
    if (after !== undefined) fields.blockedBy ??= after.split(',').map((it) => it.trim());
    if (list.isNumbered && i > 0) fields.blockedBy ??= BEFORE;
    return { ...readTitle(plain, 'task', line, slips), line, body, tasks: [] };
  });
}

/** A placeholder for the id of the task before, until the ids are known. */
const BEFORE: readonly string[] = ['\u0000before'];

/** Gives every entry an id: the one that its text names, or one that is made of its title. */
function nameAll(entries: readonly Entry[], otherwise: string, taken: Set<string>): string[] {
  for (const { id, body } of entries) {
    const own = id ?? body.fields.id;
    if (typeof own === 'string') taken.add(own);
  }
  return entries.map(({ id, title, body }) => {
    const own = id ?? body.fields.id;
    if (typeof own === 'string') return own;
    const made = deriveFreeId(title, otherwise, (it) => taken.has(it));
    taken.add(made);
    return made;
  });
}

function buildEpic(
  epic: Entry,
  stories: readonly Entry[],
  lineOf: Map<string, number>,
  slips: Slip[],
): Record<string, unknown> {
  const { children: contains, ...fields } = epic.body.fields;
  const taken = new Set<string>();
  const id = nameAll([epic], 'epic', taken)[0] ?? '';
  const children = readChildren(contains, epic.body.lineOf.get('children') ?? epic.line, slips);
  for (const child of children) if (typeof child.id === 'string') taken.add(child.id);
  const ids = nameAll(stories, 'story', taken);
  note(lineOf, '', epic);
  const siblings = [
    ...stories.map(({ title }, i) => ({ id: ids[i] ?? '', title })),
    ...children.map((child) => ({ id: String(child.id), title: '' })),
  ];
  const built = stories.map((story, i) =>
    buildStory(story, ids[i] ?? '', siblings, `stories[${i}]`, lineOf, slips),
  );
  const lines = stories.map(({ line, body }) => ({
    id: line,
    after: body.lineOf.get('blockedBy'),
  }));
  checkIds(
    [{ id, line: epic.line }, ...ids.map((it, i) => ({ id: it, line: lines[i]?.id ?? 0 }))],
    slips,
  );
  checkOrder(built, (i) => lines[i]?.after ?? lines[i]?.id ?? 0, 'stories', slips);
  return {
    ...{ id, title: epic.title, description: epic.body.description || epic.title },
    ...fields,
    ...(children.length > 0 ? { children } : {}),
    stories: built,
  };
}

function buildStory(
  story: Entry,
  id: string,
  siblings: readonly { id: string; title: string }[] | undefined,
  path: string,
  lineOf: Map<string, number>,
  slips: Slip[],
): Record<string, unknown> {
  note(lineOf, path, story);
  const { fields, description, lineOf: own } = story.body;
  const ids = nameAll(story.tasks, 'task', new Set());
  const all = story.tasks.map(({ title }, i) => ({ id: ids[i] ?? '', title }));
  const tasks = story.tasks.map((task, i) => {
    const place = `${path ? `${path}.` : ''}tasks[${i}]`;
    note(lineOf, place, task);
    const { blockedBy, ...rest } = task.body.fields;
    const isBefore = blockedBy === BEFORE;
    const line = task.body.lineOf.get('blockedBy') ?? task.line;
    const waits = isBefore
      ? ids.slice(i - 1, i)
      : resolveNames(blockedBy, all, line, 'task', slips);
    return {
      ...{
        id: ids[i] ?? '',
        subject: task.title,
        description: task.body.description || task.title,
      },
      ...rest,
      ...(waits === undefined ? {} : { blockedBy: waits }),
    };
  });
  const lines = story.tasks.map((task) => ({
    id: task.line,
    after: task.body.lineOf.get('blockedBy'),
  }));
  checkIds(
    ids.map((it, i) => ({ id: it, line: lines[i]?.id ?? 0 })),
    slips,
  );
  checkOrder(tasks, (i) => lines[i]?.after ?? lines[i]?.id ?? 0, 'tasks', slips);
  const { blockedBy, ...rest } = fields;
  const line = own.get('blockedBy') ?? story.line;
  const waits = siblings ? resolveNames(blockedBy, siblings, line, 'story', slips) : blockedBy;
  return {
    ...{ id, title: story.title, description: description || story.title },
    ...rest,
    ...(waits === undefined ? {} : { blockedBy: waits }),
    tasks,
  };
}

/** Notes the lines of an item and its fields, by path and by id. */
function note(lineOf: Map<string, number>, path: string, { line, body }: Entry): void {
  lineOf.set(path, line);
  for (const [field, at] of body.lineOf) lineOf.set(path ? `${path}.${field}` : field, at);
}
