import { findUnknownFields } from '@saga-ai/types/plan/unknown-fields';
import { findNearest } from '@saga-ai/types/words/nearest';

/** The kind of item that a heading of a plan stands for. */
export type Kind = 'epic' | 'story' | 'task';

/** How the value of a field is written behind its label. */
export type Shape = 'text' | 'names' | 'command' | 'flag' | 'word' | 'children' | 'tasks';

export interface Label {
  /** The label as SAGA writes it. */
  name: string;
  field: string;
  shape: Shape;
  kinds: readonly Kind[];
  /** Other spellings that are read, in lower case. */
  also?: readonly string[];
}

const ALL: readonly Kind[] = ['epic', 'story', 'task'];

/** Every label, in the order in which SAGA writes them. */
export const LABELS: readonly Label[] = [
  { name: 'After', field: 'blockedBy', shape: 'names', kinds: ['story', 'task'] },
  { name: 'Epic', field: 'epic', shape: 'word', kinds: ['story'] },
  { name: 'Status', field: 'status', shape: 'word', kinds: ['task'] },
  { name: 'Guidance', field: 'guidance', shape: 'text', kinds: ['story', 'task'] },
  { name: 'Done when', field: 'doneWhen', shape: 'text', kinds: ['story', 'task'] },
  { name: 'Avoid', field: 'avoid', shape: 'text', kinds: ['story'] },
  {
    name: 'Writes',
    field: 'writeFiles',
    shape: 'names',
    kinds: ['story', 'task'],
    also: ['write files', 'may change'],
  },
  { name: 'Verify', field: 'verify', shape: 'command', kinds: ['story'] },
  { name: 'Needs tests', field: 'needsTests', shape: 'flag', kinds: ['task'] },
  { name: 'No change', field: 'noChange', shape: 'text', kinds: ['task'] },
  { name: 'Active form', field: 'activeForm', shape: 'text', kinds: ['task'] },
  { name: 'Area', field: 'area', shape: 'text', kinds: ['task'] },
  { name: 'Issue', field: 'issue', shape: 'word', kinds: ['story'] },
  { name: 'Needs', field: 'needs', shape: 'names', kinds: ['story'] },
  { name: 'Labels', field: 'labels', shape: 'names', kinds: ALL },
  { name: 'Contains', field: 'children', shape: 'children', kinds: ['epic'] },
  { name: 'Tasks', field: 'tasks', shape: 'tasks', kinds: ['story'] },
];

/** What a field is called in a plan, for messages. */
export const nameField = (field: string) =>
  LABELS.find((label) => label.field === field)?.name ?? field;

export type FoundLabel =
  | { label: Label }
  /** The word is almost a label, or the label of another kind of item. */
  | { slip: string }
  | undefined;

const plainOf = (name: string) => name.trim().toLowerCase().replace(/\s+/g, ' ');

const BY_KIND = new Map(
  ALL.map((kind) => [
    kind,
    new Map(
      LABELS.filter(({ kinds }) => kinds.includes(kind)).flatMap((label) =>
        [label.name.toLowerCase(), ...(label.also ?? [])].map((name) => [name, label] as const),
      ),
    ),
  ]),
);

/** Finds the field that a bold word with a colon names. Returns undefined if it is just a bold word. */
export function findLabel(name: string, kind: Kind): FoundLabel {
  const known = BY_KIND.get(kind);
  const usual = known?.get(name.toLowerCase());
  if (usual) return { label: usual };
  const plain = plainOf(name);
  const label = known?.get(plain);
  if (label) return { label };
  const other = LABELS.find((it) => it.name.toLowerCase() === plain);
  if (other) {
    return {
      slip: `${other.name} is a field of ${formatKinds(other.kinds)}, not of ${article(kind)}.`,
    };
  }
  const near = findNearest(plain, known?.keys() ?? []) ?? findMeant(plain, kind);
  if (near === undefined) return undefined;
  return {
    slip: `Did you mean **${known?.get(near)?.name ?? near}:**? Write it in plain text if it is no field.`,
  };
}

/** Other words that people use for a field, such as "acceptance criteria". */
function findMeant(plain: string, kind: Kind): string | undefined {
  const [unknown] = findUnknownFields({ [plain]: '' }, `${kind} draft`);
  const meant = LABELS.find(({ field, kinds }) => field === unknown?.meant && kinds.includes(kind));
  return meant?.name.toLowerCase();
}

const article = (kind: Kind) => (kind === 'epic' ? 'an epic' : `a ${kind}`);
const formatKinds = (kinds: readonly Kind[]) => kinds.map(article).join(' or ');
