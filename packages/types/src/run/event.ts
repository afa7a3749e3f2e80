import * as z from 'zod/mini';
import { TaskStatus } from '../plan/task.ts';
import { Problem } from '../words/problem.ts';
import { Cause, RunOutcome, StopCause } from './cause.ts';
import { GateCheck } from './evidence.ts';
import { OutcomeKind } from './session-record.ts';

const text = z.string();
const number = z.number();
const files = z.array(z.string());
const note = (meaning: string) => z.string().check(z.describe(meaning));
const reason = note('Why, in words.');

/** Lines that were changed, each with its sign in front, as in a unified diff. */
export const Hunk = z.object({ oldStart: number, newStart: number, lines: z.array(text) });
export type Hunk = z.infer<typeof Hunk>;

/** What a tool call does, in our words; agents name their tools differently. */
export const CALL_KINDS = ['read', 'write', 'command', 'tasks', 'other'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

const worktree = { path: text, branch: text, base: text, ahead: number };
const pull = { number, url: text };
const nested = {
  isNested: z.optional(z.boolean().check(z.describe('Said by a helper of the run.'))),
};
const spent = { tokens: z.optional(number.check(z.describe('Of the run, so far.'))) };
const verbatim = { claude: z.optional(z.unknown().check(z.describe("The client's own line."))) };

const says = <T extends z.core.$ZodLooseShape>(meaning: string, fields: T) =>
  z.object(fields).check(z.describe(meaning));

/**
 * Every event a worker tells, with its fields and one sentence of what it means. The output file is a
 * public interface and this table describes it: the types below, the reader that checks lines and
 * docs/reference/events.md all follow from it.
 */
export const EVENTS = {
  'worker:start': says('A worker begins.', { story: text, session: text, pid: number }),
  'worker:end': says('The worker is over; always the last event.', {
    kind: OutcomeKind,
    reason,
    cause: z.optional(Cause),
    exitCode: number,
    code: z.optional(note('Of an error.')),
    hint: z.optional(note('What to do about an error.')),
    cycles: number,
    tokens: number,
    costUsd: number,
    elapsedMs: number,
  }),
  'log:failed': says('The output file cannot be written; only those who watch are told.', {
    reason,
  }),
  'listener:failed': says('Somebody who watches the worker failed; the work goes on.', { reason }),

  'preflight:start': says('The worker looks whether all is there that it needs.', { story: text }),
  'preflight:passed': says('All is there that the worker needs.', {
    claude: note('Version of Claude Code.'),
    git: text,
    gh: z.nullable(text),
    blockers: z.array(text).check(z.describe('Titles of open blockers.')),
  }),

  'fetch:failed': says('A branch could not be fetched.', { remote: text, branch: text, reason }),
  'worktree:start': says('The worktree is looked for or made.', { path: text, branch: text }),
  'worktree:found': says('The worktree of the story was there.', worktree),
  'worktree:created': says('The worktree of the story was made.', worktree),
  'worktree:inside': says(
    'Nothing can be made beside the repository, so the worktree is inside it.',
    { path: text, reason },
  ),
  'worktree:included': says('Files that git ignores were copied into the worktree.', { files }),
  'worktree:not-included': says('A file was not copied into the worktree.', { path: text, reason }),
  'story:committed': says("The story's files were committed on its branch.", { path: text }),
  'setup:start': says('The command that sets up a worktree begins.', { command: text }),
  'setup:end': says('The command that sets up a worktree ended.', {
    exitCode: z.nullable(number),
    outputEnd: z.optional(note('The last lines of what it printed.')),
  }),
  'recovery:start': says('An earlier worker was cut off in a run.', { run: text }),
  'recovery:done': says('What the run that was cut off left is settled.', { run: text }),

  'branch:updated': says('The branch took in what others pushed.', { branch: text, remote: text }),
  'branch:not-updated': says('The branch could not take in what others pushed.', {
    branch: text,
    remote: text,
    reason,
  }),
  'branch:returned': says('A run left the branch; the worktree is back on it.', {
    found: text,
    branch: text,
    stashed: z.optional(note('Message of the stash that holds what was in the way.')),
    reason: z.optional(text),
  }),
  'branch:brought': says('Commits beside the branch were brought over to it.', {
    branch: text,
    commits: number,
  }),
  'git:repaired': says("A file of git's own in the worktree was repaired.", { file: text }),
  'git:abandoned': says('An unfinished operation of git was abandoned.', { what: text }),
  'git:index-flags-cleared': says('Index flags that hid changes of files from git were cleared.', {
    files,
  }),
  'git:unlocked': says('A lock that a killed git left was removed.', { lock: text }),
  'push:done': says('The branch was pushed.', {
    remote: text,
    branch: text,
    commit: z.optional(text),
  }),
  'push:failed': says('The branch could not be pushed.', { remote: text, branch: text, reason }),

  'pull-request:start': says('The pull request is looked for or opened.', {}),
  'pull-request:found': says('An open pull request was there.', { ...pull, draft: z.boolean() }),
  'pull-request:created': says('A draft pull request was opened.', {
    ...pull,
    earlier: z.optional(z.object({ number, state: text })),
  }),
  'pull-request:skipped': says('The work goes on without a pull request.', { reason }),
  'pull-request:ready': says('The pull request is ready for review.', {
    ...pull,
    wasDraft: z.boolean(),
  }),
  'pull-request:not-ready': says('GitHub did not take the pull request as ready.', {
    number,
    reason,
  }),
  'pull-request:not-updated': says('GitHub did not take a change of the pull request.', {
    number,
    what: z.enum(['labels', 'reviewers', 'text']),
    reason,
  }),

  'hydrate:start': says('The tasks are written into a list of the agent.', {}),
  'hydrate:done': says('The tasks are in a list of the agent.', { list: text, tasks: number }),

  'account:unread': says(
    "The person's settings of the agent cannot be read; the run goes on without their account.",
    { path: text, reason },
  ),
  'run:start': says('A headless run begins.', {
    cycle: number,
    model: text,
    run: text,
    taskId: z.optional(note('The one task of this run.')),
    subject: z.optional(text),
    role: z.optional(z.enum(['tests', 'work'])),
  }),
  'run:init': says('The agent is ready, and says what it offers.', {
    model: z.optional(text),
    tools: z.array(text),
    missing: z.array(text).check(z.describe('Tools that a story needs and the agent lacks.')),
    ...verbatim,
  }),
  'run:text': says('The model says something.', {
    text,
    isThought: z.optional(z.boolean()),
    ...nested,
    ...spent,
    ...verbatim,
  }),
  'run:tool': says('The model calls a tool.', {
    id: text,
    name: note('As the agent names the tool.'),
    kind: z.enum(CALL_KINDS),
    summary: note('What the call is about, on one line.'),
    path: z.optional(text),
    command: z.optional(text),
    changes: z.optional(z.array(z.object({ removed: text, added: text }))),
    input: z.record(z.string(), z.unknown()).check(z.describe('The rest of what was given.')),
    ...nested,
    ...spent,
    ...verbatim,
  }),
  'run:result': says('What a call gave back.', {
    id: note('Of the call.'),
    text,
    isError: z.optional(z.boolean()),
    isDenied: z.optional(z.boolean().check(z.describe('The agent itself did not allow it.'))),
    patch: z.optional(z.array(Hunk)),
    status: z.optional(z.object({ task: text, to: text })),
    ...verbatim,
  }),
  'run:retry': says('The agent asks the model again.', {
    error: text,
    isRefused: z.optional(z.boolean().check(z.describe('The credential is refused.'))),
    attempt: z.optional(number),
    most: z.optional(number),
    ...verbatim,
  }),
  'run:rate-limit': says('The agent says how the usage limit stands.', {
    isReached: z.boolean(),
    resetsAt: z.optional(number.check(z.describe('Milliseconds since the epoch.'))),
    ...verbatim,
  }),
  'run:outcome': says('The agent says how its run ended.', {
    text,
    isError: z.boolean(),
    costUsd: z.optional(number),
    ...verbatim,
  }),
  'run:event': says('Whatever else the agent says.', { ...spent, ...verbatim }),
  'run:noise': says('A line of the agent that is no event.', { text }),
  'run:stopping': says('The worker ends the run.', { cause: StopCause, detail: text }),
  'run:end': says('A headless run is over.', {
    cycle: number,
    outcome: RunOutcome,
    detail: text,
    stoppedBy: z.optional(StopCause),
    resetsAt: z.optional(number),
    tokens: number,
    costUsd: number,
  }),

  'task:status': says('The status of a task changed.', {
    task: text,
    from: z.optional(TaskStatus),
    to: TaskStatus,
    why: z.optional(text),
  }),
  'task:escalated': says('A task was tried too often and waits for a person.', {
    task: text,
    attempts: number,
  }),
  'sync:ignored': says('A status change was not written: it is none of a task of the story.', {
    task: text,
    status: text,
    why: text,
  }),
  'sync:failed': says('A status change could not be written.', {
    task: text,
    status: text,
    reason,
  }),
  'guard:denied': says('The guard refused a call.', {
    id: z.optional(note('Of the call.')),
    tool: text,
    path: z.optional(text),
    input: z.optional(z.record(z.string(), z.unknown())),
    reason,
  }),
  'guard:failed': says('The guard could not read a call, and refused it.', { reason }),

  'definitions:restored': says('A run changed the plan; it was put back.', {
    files,
    keptIn: z.optional(note('Where what the run wrote is kept.')),
  }),
  'tests:restored': says('A run that writes tests wrote something else; it was put back.', {
    files,
  }),
  'reconcile:done': says("The story is up to what the agent's list says.", {
    changes: number,
    notes: z.optional(z.array(z.object({ taskId: text, kind: text }))),
    problems: z.optional(z.array(Problem)),
  }),
  'leftovers:committed': says('Work that no run committed was kept on the branch.', { files }),
  'limit:waiting': says('The worker waits for a usage limit to end.', { until: text, reason }),
  'limit:waited': says('The worker waits no longer.', {}),

  'gate:start': says('The gate begins.', {}),
  'gate:check': says('One check of the gate is over.', { check: GateCheck }),
  'gate:passed': says('The gate passed.', {
    head: text,
    checks: z.optional(z.array(GateCheck)),
    again: z.optional(z.boolean().check(z.describe('False if it passed before.'))),
  }),
  'gate:failed': says('The gate did not pass.', { head: text, checks: z.array(GateCheck) }),
} as const;

export type EventType = keyof typeof EVENTS;
export type EventFields<T extends EventType> = z.infer<(typeof EVENTS)[T]>;
type EventOf<T extends EventType> = T extends EventType
  ? { time: string; type: T } & EventFields<T>
  : never;

/** One event, told apart by its `type`. */
export type RunEvent<T extends EventType = EventType> = EventOf<T>;

/** What a reader makes of a line that this version cannot read; never written to a file. */
export interface UnreadEvent {
  time: string;
  type: 'log:unread';
  /** The type that the line has. */
  of: string;
  fields: Readonly<Record<string, unknown>>;
}

/** What readers of an output file receive. */
export type SessionEvent = RunEvent | UnreadEvent;

/** Says what happens, before and after: to the output file and to whoever watches. Never throws. */
export type Emit = <T extends EventType>(type: T, fields: EventFields<T>) => void;
