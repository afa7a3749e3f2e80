import { findNearest } from '../words/nearest.ts';
import { EpicDraft, StoryDraft, TaskDraft } from './draft.ts';
import { Epic, EpicChild } from './epic.ts';
import { Story } from './story.ts';
import { Task } from './task.ts';
import { STANDING_FIELDS } from './task-definition.ts';

/** The kinds of objects in the plan. */
export type PlanKind = keyof typeof KNOWN;

const keysOf = ({ shape }: { shape: object }, ...more: string[]) =>
  new Set([...Object.keys(shape), ...more]);

const KNOWN = {
  story: keysOf(Story),
  // A task may also have the fields of a native list.
  task: keysOf(Task, ...STANDING_FIELDS),
  epic: keysOf(Epic),
  child: keysOf(EpicChild),
  'story draft': keysOf(StoryDraft),
  'task draft': keysOf(TaskDraft, ...STANDING_FIELDS),
  'epic draft': keysOf(EpicDraft),
};

export interface UnknownField {
  field: string;
  /** The field that was probably meant. */
  meant?: string;
  /** What to do, in a sentence. */
  advice: string;
}

/** Other names that people and models use, without case, dashes and underscores. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  blockedBy: ['dependson', 'depends', 'dependencies', 'dependency', 'deps', 'requires', 'waitsfor'],
  doneWhen: ['acceptance', 'acceptancecriteria', 'criteria', 'definitionofdone'],
  description: ['body', 'details'],
  title: ['name', 'subject'],
  subject: ['name', 'title'],
  guidance: ['instructions'],
  writeFiles: ['files'],
  verify: ['test', 'testcommand', 'check'],
  labels: ['tags'],
  epic: ['parent'],
  tasks: ['subtasks'],
};

/** Fields of this name have no effect and are not reported: they belong to the user or to an editor. */
const isOwn = (key: string): boolean => key.startsWith('x-') || key.startsWith('$');

/** Finds fields that have no effect, because SAGA does not know them. They are kept in any case. */
export function findUnknownFields(value: object, kind: PlanKind): UnknownField[] {
  const known = KNOWN[kind];
  const found: UnknownField[] = [];
  for (const field in value) {
    if (known.has(field) || isOwn(field)) continue;
    const meant = findMeant(field, known);
    const advice = describeSpecial(field, kind) ?? describeMeant(meant);
    found.push({ field, meant, advice });
  }
  return found;
}

function findMeant(field: string, known: ReadonlySet<string>): string | undefined {
  const plain = toPlain(field);
  for (const name of known) {
    if (plain === name.toLowerCase() || OTHER_NAMES[name]?.includes(plain)) return name;
  }
  return findNearest(field, known);
}

const toPlain = (field: string): string => field.toLowerCase().replace(/[-_ ]/g, '');

function describeSpecial(field: string, kind: PlanKind): string | undefined {
  const isStory = kind.startsWith('story');
  if (field.toLowerCase() === 'status' && (isStory || kind.startsWith('epic'))) {
    return `The status of ${isStory ? 'a story follows from its tasks' : 'an epic follows from its stories'}: remove the field.`;
  }
  const waits = ['blockedby', ...(OTHER_NAMES.blockedBy ?? [])];
  if (kind === 'story' && waits.includes(toPlain(field))) {
    return 'What a story waits for is "blockedBy" of the story among the "children" of its epic.';
  }
  return undefined;
}

const describeMeant = (meant: string | undefined): string =>
  meant === undefined
    ? 'Remove it. If it is a field of your own, begin its name with x-.'
    : `Did you mean ${meant}? A field of your own begins with x-.`;
