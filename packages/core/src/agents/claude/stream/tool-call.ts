import { OLDER_WORKTREES } from '@saga-ai/types/plan/plan-paths';
import type { CallKind, EventFields } from '@saga-ai/types/run/event';

type Input = Readonly<Record<string, unknown>>;
type Call = Pick<
  EventFields<'run:tool'>,
  'kind' | 'summary' | 'path' | 'command' | 'changes' | 'input'
>;

const KINDS: Readonly<Record<string, CallKind>> = {
  Read: 'read',
  Grep: 'read',
  Glob: 'read',
  LS: 'read',
  Write: 'write',
  Edit: 'write',
  MultiEdit: 'write',
  NotebookEdit: 'write',
  Bash: 'command',
};

/** Describes a call of one of the client's tools. Leaves long texts out of the summary. */
export function describeCall(name: string, input: Input, cwd?: string): Call {
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  const call = {
    kind: kind ?? (name.startsWith('Task') ? 'tasks' : 'other'),
    summary: summarise(input, cwd),
  } as const;
  const { file_path, notebook_path, command, ...rest } = input;
  const path = file_path ?? notebook_path;
  const named = {
    ...(typeof path === 'string' ? { path } : {}),
    command: typeof command === 'string' ? command : undefined,
  };
  if (call.kind !== 'write') return { ...call, ...named, input: rest };
  const { content, old_string, new_string, edits, ...more } = rest;
  return { ...call, ...named, changes: listChanges(input), input: more };
}

function listChanges({ content, old_string, new_string, edits }: Input) {
  if (typeof content === 'string') return [{ removed: '', added: content }];
  const all = Array.isArray(edits) ? edits : [{ old_string, new_string }];
  return all.flatMap((edit: Input | null) => {
    const change = { removed: textOf(edit?.old_string), added: textOf(edit?.new_string) };
    return change.removed === '' && change.added === '' ? [] : [change];
  });
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The fields that best describe a call, the most important first. */
const TELLING = [
  'command',
  'file_path',
  'notebook_path',
  'pattern',
  'taskId',
  'path',
  'url',
  'query',
  'subject',
  'description',
];

/** Summarises a call on one line. */
function summarise(input: Input, cwd: string | undefined): string {
  const texts = [...TELLING.map((field) => input[field]), ...Object.values(input)];
  const about = texts.find((it) => typeof it === 'string') ?? '';
  const { status } = input;
  const more = typeof status === 'string' && status !== about ? ` ${status}` : '';
  const short = withoutPlace(`${about}`.slice(0, 2000), cwd);
  return (short.replace(/\s+/g, ' ').trim().slice(0, LONGEST) + more.slice(0, 40)).trim();
}

/**
 * Removes the worktree's path from a text: every call happens there. Older logs do not name the working
 * folder; at that time worktrees were in one place.
 */
function withoutPlace(text: string, cwd: string | undefined): string {
  return (cwd === undefined ? text : text.replaceAll(`${cwd}/`, '')).replace(OLDER_WORKTREES, '');
}

const LONGEST = 300;
