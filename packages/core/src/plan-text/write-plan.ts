import { isDeepStrictEqual } from 'node:util';
import type { EpicDraft, StoryDraft, TaskDraft } from '@saga-ai/types/plan/draft';
import { deriveId } from '@saga-ai/types/plan/ids';
import { type Kind, LABELS, type Label } from './labels.ts';
import { JSON_BLOCK } from './read-body.ts';
import { readPlan } from './read-plan.ts';
import { quoteCode, runsOf } from './values.ts';

/** Writes a plan as Markdown. `readPlan` reads exactly the same plan from it. */
export function writePlan(draft: EpicDraft | StoryDraft): string {
  if (!('stories' in draft)) return `${writeStory(draft as StoryDraft)}\n`;
  const { stories, children, ...epic } = draft as EpicDraft;
  const contains = children.length > 0 || stories.length === 0 ? { children } : {};
  const head = writeItem('epic', { ...epic, ...contains });
  return `${[head, ...stories.map(writeStory)].join('\n\n')}\n`;
}

function writeStory({ tasks, ...story }: StoryDraft): string {
  const parts = [writeItem('story', story)];
  // A list in the description would be read as tasks, so the story must say that it has none.
  if (tasks.length === 0 && Object.values(story).some(hasList)) parts.push('**Tasks:** none');
  for (const task of tasks) parts.push(writeItem('task', task));
  return parts.join('\n\n');
}

const hasList = (value: unknown): boolean =>
  typeof value === 'string' && /^[ \t]*(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/m.test(value);

const MARKS = { epic: '#', story: '##', task: '###' };

type Fields = Record<string, unknown>;

/**
 * Writes the heading, the text and the fields of one item. Values that Markdown cannot express go into a block of JSON.
 */
function writeItem(
  kind: Kind,
  item: Omit<EpicDraft | StoryDraft | TaskDraft, 'stories' | 'tasks'>,
): string {
  const titleField = kind === 'task' ? 'subject' : 'title';
  const { id, [titleField]: title, description, ...rest } = item as Fields & { id: string };
  const left: Fields = {};
  const parts: string[] = [];

  const heading = writeHeading(kind, String(title), id);
  parts.push(heading.text);
  if (!heading.isExact) left[titleField] = title;

  const shown = heading.isExact ? title : heading.title;
  if (description !== shown || description === '') {
    const text = String(description);
    if (text !== '' && isExact(kind, 'description', text, text)) parts.push(text);
    else left.description = description;
  }

  const labels = LABELS.filter(({ kinds, shape }) => kinds.includes(kind) && shape !== 'tasks');
  const lines: string[] = [];
  for (const label of labels) {
    const value = rest[label.field];
    delete rest[label.field];
    if (value === undefined || isDefault(label, value)) continue;
    const text = offerTexts(label, value).find((it) => isExact(kind, label.field, value, it));
    if (text === undefined) left[label.field] = value;
    else lines.push(text);
  }
  parts.push(...joinLines(lines));
  for (const [field, value] of Object.entries(rest)) if (value !== undefined) left[field] = value;
  if (Object.keys(left).length > 0) parts.push(writeJsonBlock(left));
  return parts.join('\n\n');
}

const isDefault = ({ field }: Label, value: unknown): boolean =>
  (field === 'blockedBy' && Array.isArray(value) && value.length === 0) ||
  (field === 'status' && value === 'pending');

/**
 * Joins the texts of fields: fields of one line without empty lines between them, a longer field with empty lines
 * around it.
 */
function joinLines(lines: readonly string[]): string[] {
  const parts: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const isShort = !line.includes('\n') && !line.startsWith('after:');
    if (isShort && isOpen) parts.push(`${parts.pop()}\n${line}`);
    else parts.push(line);
    isOpen = isShort;
  }
  return parts;
}

/** Writes a heading. Leaves the id out if it is the one that would be made of the title. */
function writeHeading(kind: Kind, title: string, id: string) {
  const mark = MARKS[kind];
  const isOwn = deriveId(title) !== id || /\{#[^{}\s]*\}$/.test(title);
  const text = `${mark} ${title}${isOwn ? ` {#${id}}` : ''}`;
  const read = title.includes('\n') || UNSEEN.test(title) ? undefined : readItem(kind, text, '');
  if (read?.id === id && read[kind === 'task' ? 'subject' : 'title'] === title) {
    return { text, title, isExact: true };
  }
  return { text: `${mark} ${id} {#${id}}`, title: id, isExact: false };
}

/** Returns the ways to write a field, the most readable first. */
function offerTexts({ name, field, shape }: Label, value: unknown): string[] {
  const inline = (text: string) => `**${name}:** ${text}`;
  const below = (text: string) => `**${name}:**\n\n${text}`;
  if (field === 'blockedBy') return [`after: ${(value as string[]).join(', ')}`];
  if (shape === 'flag') return [inline(value === true ? 'yes' : 'no')];
  if (shape === 'children') return offerChildren(value, inline);
  if (shape === 'names') {
    if (!Array.isArray(value)) return [];
    const names = value.map((it) => (field === 'labels' ? String(it) : quoteCode(String(it))));
    return [inline(names.length === 0 ? 'none' : names.join(', '))];
  }
  if (typeof value !== 'string') return [];
  if (shape === 'command') {
    const fence = '`'.repeat(Math.max(3, ...runsOf(value).map((it) => it + 1)));
    return [inline(quoteCode(value)), below(`${fence}sh\n${value}\n${fence}`)];
  }
  return value.includes('\n') ? [below(value), inline(value)] : [inline(value), below(value)];
}

function offerChildren(value: unknown, inline: (text: string) => string): string[] {
  const children = value as { id: string; blockedBy: string[] }[];
  if (children.length === 0) return [inline('none')];
  const one = ({ id, blockedBy }: { id: string; blockedBy: string[] }) =>
    blockedBy.length > 0 ? `${id} (after: ${blockedBy.join(', ')})` : id;
  return [inline(children.map(one).join(', '))];
}

function writeJsonBlock(fields: Fields): string {
  const json = JSON.stringify(fields, null, 2).replace(UNSEEN_ALL, toEscape);
  const fence = '`'.repeat(Math.max(3, ...runsOf(json).map((it) => it + 1)));
  return `${fence}${JSON_BLOCK}\n${json}\n${fence}`;
}

/** Whether `readPlan` reads exactly this value from the text, also with another field below it. */
function isExact(kind: Kind, field: string, value: unknown, text: string): boolean {
  if (UNSEEN.test(text)) return false;
  const isLabels = field === 'labels';
  const read = readItem(kind, '', isLabels ? text : `${text}\n\n**Labels:** below`);
  if (!read) return false;
  const { id, title, subject, description, labels, stories, tasks, children, ...others } = read;
  const asRead: Fields = {
    ...others,
    ...(field === 'children' ? { children: children ?? [] } : {}),
  };
  if (field !== 'description') {
    if (description !== PROBE) return false;
    if (isLabels) return isDeepStrictEqual(labels, value) && Object.keys(asRead).length === 0;
    const isOnly = isDeepStrictEqual(labels, ['below']) && Object.keys(asRead).length === 1;
    return isOnly && isDeepStrictEqual(asRead[field], value);
  }
  return (
    isDeepStrictEqual(labels, ['below']) &&
    Object.keys(asRead).length === 0 &&
    description === value
  );
}

/**
 * Matches characters that a terminal obeys or hides. A text with such characters goes into the block of JSON, where
 * they can be seen.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef]/;
const UNSEEN_ALL = new RegExp(UNSEEN, 'g');
const toEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

const PROBE = 'Probe';

/**
 * Reads one item from a small plan of its own. Returns undefined if that plan has slips or contains more than the item.
 */
function readItem(kind: Kind, heading: string, body: string): Fields | undefined {
  const own = heading || `${MARKS[kind]} ${PROBE} {#probe}`;
  const names = body.startsWith('after: ') ? (body.split('\n')[0] ?? '').slice(7).split(', ') : [];
  const others = names.map((id) => `${MARKS[kind]} Other {#${id}}\n\nx`).join('\n\n');
  const text =
    kind === 'epic'
      ? `${own}\n\n${body}\n\n## Next {#next}\n\nx\n`
      : kind === 'story'
        ? `# Top\n\n${own}\n\n${body}\n\n### Next {#next}\n\nx\n\n${others}\n`
        : `## Top\n\n${own}\n\n${body}\n\n### Next {#next}\n\nx\n\n${others}\n`;
  const { draft, slips } = readPlan(text);
  if (!draft || slips.length > 0) return undefined;
  const list = (it: Fields | undefined, key: string) => (it?.[key] ?? []) as Fields[];
  if (kind === 'epic') return list(draft, 'stories').length === 1 ? draft : undefined;
  if (kind === 'task') {
    return list(draft, 'tasks').length === 2 + names.length ? list(draft, 'tasks')[0] : undefined;
  }
  const [story] = list(draft, 'stories');
  const isWhole = list(draft, 'stories').length === 1 + names.length;
  return isWhole && list(story, 'tasks').length === 1 ? story : undefined;
}
