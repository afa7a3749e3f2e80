import * as z from 'zod/mini';
import { Problem } from '../words/problem.ts';
import { BASE_EVENTS } from './base-events.ts';
import { Cause, RunOutcome, StopCause } from './cause.ts';
import { CHECK_IN_EVENTS } from './check-in-events.ts';
import { EPIC_EVENTS } from './epic-events.ts';
import { estimated, files, note, number, reason, says, text } from './event-fields.ts';
import { GateCheck } from './evidence.ts';
import { NOTIFY_EVENTS } from './notify-events.ts';
import { PULL_REQUEST_EVENTS } from './pull-request-events.ts';
import { PUT_BACK_EVENTS } from './put-back-events.ts';
import { OutcomeKind } from './session-record.ts';
import { TALK_EVENTS } from './talk-events.ts';
import { TASK_EVENTS } from './task-events.ts';

/** Changed lines, each with its sign in front, as in a unified diff. */
export const Hunk = z.object({ oldStart: number, newStart: number, lines: z.array(text) });
export type Hunk = z.infer<typeof Hunk>;

/** Kinds of tool calls. Agents have different names for their tools, so SAGA uses its own. */
const CALL_KINDS = ['read', 'write', 'command', 'tasks', 'other'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

const worktree = { path: text, branch: text, base: text, ahead: number };
const nested = {
  isNested: z.optional(z.boolean().check(z.describe('Comes from a subagent of the run.'))),
};
const spent = { tokens: z.optional(number.check(z.describe('Tokens of the run so far.'))) };
const verbatim = {
  claude: z.optional(z.unknown().check(z.describe('The unchanged line of Claude Code.'))),
};

const setUp = {
  checkout: z.optional(
    z.enum(['clean']).check(z.describe('Set if the gate sets up a clean checkout.')),
  ),
};

/**
 * Every event that a worker writes, with its meaning and its fields. The output file is a public interface,
 * and this table defines it: the types below, the reader that checks lines, and docs/reference/events.md
 * are derived from it.
 */
export const EVENTS = {
  'worker:start': says('A worker begins.', { story: text, session: text, pid: number }),
  'worker:end': says('The worker ended. This is always the last event.', {
    kind: OutcomeKind,
    reason,
    cause: z.optional(Cause),
    exitCode: number,
    code: z.optional(note('The code of an error.')),
    hint: z.optional(note('What to do about an error.')),
    cycles: number,
    tokens: number,
    costUsd: number,
    ...estimated,
    elapsedMs: number,
  }),
  ...EPIC_EVENTS,
  ...NOTIFY_EVENTS,
  'log:failed': says('The output file cannot be written. Only viewers receive this event.', {
    reason,
  }),
  'listener:failed': says('A viewer of the worker failed. The worker continues.', { reason }),

  'preflight:start': says('The worker checks that everything it needs is available.', {
    story: text,
  }),
  'preflight:passed': says('Everything that the worker needs is available.', {
    claude: note('Version of Claude Code.'),
    git: text,
    gh: z.nullable(text),
    blockers: z.array(text).check(z.describe('Titles of open blockers.')),
  }),

  'fetch:failed': says('A branch could not be fetched.', { remote: text, branch: text, reason }),
  'worktree:start': says('The worker looks for the worktree or creates it.', {
    path: text,
    branch: text,
  }),
  'worktree:found': says('The worktree of the story existed already.', worktree),
  'worktree:created': says('The worktree of the story was created.', worktree),
  'worktree:inside': says(
    'No folder can be created beside the repository, so the worktree is inside it.',
    { path: text, reason },
  ),
  'worktree:remains': says(
    'Somebody had deleted the worktree during a run. What the run wrote into its place later was moved away.',
    { path: text, keptIn: text },
  ),
  'worktree:included': says('Files that git ignores were copied into the worktree.', { files }),
  'worktree:not-included': says('A file was not copied into the worktree.', { path: text, reason }),
  'story:committed': says("The story's files were committed on its branch.", { path: text }),
  'setup:start': says('The command that sets up a worktree begins.', {
    command: text,
    ...setUp,
  }),
  'setup:end': says('The command that sets up a worktree ended.', {
    ...setUp,
    exitCode: z.nullable(number),
    outputEnd: z.optional(note('The last lines of what it printed.')),
    wall: z.optional(note('What the sandbox may have refused, and the setting that allows it.')),
  }),
  'recovery:start': says('An earlier worker died during a run. This worker cleans up first.', {
    run: text,
  }),
  'recovery:done': says('The results of the interrupted run are recorded.', { run: text }),

  'branch:updated': says('The branch was updated with commits that others pushed.', {
    branch: text,
    remote: text,
  }),
  'branch:not-updated': says('The branch could not be updated with commits that others pushed.', {
    branch: text,
    remote: text,
    reason,
  }),
  ...BASE_EVENTS,
  'branch:returned': says(
    'A run switched to another branch. The worktree is back on its own branch.',
    {
      found: text,
      branch: text,
      reason: z.optional(note('Why a plain switch was not possible.')),
    },
  ),
  'branch:moved': says('A person moved the branch while a run in the sandbox worked.', {
    branch: text,
    to: note('The commit that the person left it at.'),
    commits: z
      .array(text)
      .check(z.describe('The new commits of the person, each with its subject.')),
    how: z
      .enum(['alone', 'merged', 'apart'])
      .check(
        z.describe(
          'alone: the run committed nothing. merged: its commits are merged. apart: they are kept beside the branch.',
        ),
      ),
  }),
  'branch:brought': says('Commits that a run made elsewhere were moved to the branch.', {
    branch: text,
    commits: number,
  }),
  'sandbox:on': says('Runs are enclosed in a sandbox.', { program: text }),
  'sandbox:off': says('Runs are not enclosed in a sandbox.', { reason, hint: text }),
  'network:refused': says(
    'A command in the sandbox asked for a host that it may not reach. Told once for each host.',
    { host: note('The host and its port.') },
  ),
  'push:hook-skipped': says(
    'The pre-push hook of the project was not run: it could run files of the branch outside the sandbox.',
    { hook: note('The path of the hook.') },
  ),
  'refs:trashed': says(
    "A run in the sandbox made branches, tags or stashes beside the story's branch. They are kept under these refs.",
    { refs: z.array(z.object({ name: text, ref: text })) },
  ),
  'work:kept': says(
    'A run left work that does not fit onto the branch. It is kept under a ref until a person merges or deletes that.',
    { ref: text, what: note('What the run left, in words.'), files },
  ),
  'git:repaired': says('An internal git file or a ref of the worktree was repaired.', {
    file: text,
  }),
  'git:abandoned': says('An unfinished git operation was ended. What it held is kept.', {
    what: text,
  }),
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
  'push:refused': says('The branch was not pushed, because it changes protected files.', {
    remote: text,
    branch: text,
    files,
    reason,
  }),

  ...PULL_REQUEST_EVENTS,

  'hydrate:start': says('The worker writes the tasks into a task list of the agent.', {}),
  'hydrate:done': says('The tasks are in a task list of the agent.', { list: text, tasks: number }),

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
    role: z.optional(z.enum(['tests', 'work', 'split'])),
    isContinued: z.optional(
      z.boolean().check(z.describe('The run goes on with the conversation of the one before.')),
    ),
  }),
  'run:init': says('The agent is ready and lists its tools.', {
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
    name: note("The agent's name of the tool."),
    kind: z.enum(CALL_KINDS),
    summary: note('The call on one line.'),
    path: z.optional(text),
    command: z.optional(text),
    changes: z.optional(z.array(z.object({ removed: text, added: text }))),
    input: z.record(z.string(), z.unknown()).check(z.describe('The other arguments of the call.')),
    ...nested,
    ...spent,
    costUsd: z.optional(number.check(z.describe('Dollars of the run so far, estimated.'))),
    isCostUnknown: estimated.isCostUnknown,
    ...verbatim,
  }),
  'run:result': says('The result of a tool call.', {
    id: note('The id of the call.'),
    text,
    isError: z.optional(z.boolean()),
    isDenied: z.optional(z.boolean().check(z.describe('The agent itself did not allow the call.'))),
    patch: z.optional(z.array(Hunk)),
    status: z.optional(z.object({ task: text, to: text })),
    ...verbatim,
  }),
  'run:retry': says('The agent asks the model again.', {
    error: text,
    isRefused: z.optional(
      z.boolean().check(z.describe('The model provider refused the credential.')),
    ),
    attempt: z.optional(number),
    most: z.optional(number),
    delayMs: z.optional(number.check(z.describe('How long the agent waits before that.'))),
    ...verbatim,
  }),
  'run:rate-limit': says('The agent reports the state of the usage limit.', {
    isReached: z.boolean(),
    resetsAt: z.optional(number.check(z.describe('Milliseconds since the epoch.'))),
    ...verbatim,
  }),
  'run:outcome': says('The agent reports how its run ended.', {
    text,
    isError: z.boolean(),
    costUsd: z.optional(number),
    ...verbatim,
  }),
  'run:event': says('Any other line of the agent.', { ...spent, ...verbatim }),
  'run:noise': says('A line of the agent that is not an event.', { text }),
  'run:stopping': says('The worker ends the run.', { cause: StopCause, detail: text }),
  'run:end': says('A headless run ended.', {
    cycle: number,
    outcome: RunOutcome,
    detail: text,
    stoppedBy: z.optional(StopCause),
    resetsAt: z.optional(number),
    tokens: number,
    costUsd: number,
    ...estimated,
  }),

  ...TALK_EVENTS,
  ...CHECK_IN_EVENTS,

  ...TASK_EVENTS,
  'guard:denied': says('The guard refused a tool call.', {
    id: z.optional(note('The id of the call.')),
    tool: text,
    path: z.optional(text),
    input: z.optional(z.record(z.string(), z.unknown())),
    reason,
  }),
  'guard:failed': says('The guard could not read a tool call and refused it.', { reason }),

  ...PUT_BACK_EVENTS,
  'reconcile:done': says("The story's tasks have the same status as in the agent's list.", {
    changes: number,
    notes: z.optional(z.array(z.object({ taskId: text, kind: text }))),
    problems: z.optional(z.array(Problem)),
  }),
  'leftovers:committed': says(
    'Changes that no run committed were committed to the branch on this machine. They are not pushed.',
    { files },
  ),
  'leftovers:reopened': says(
    'A commit of leftovers was taken apart: its files are uncommitted again, and the next run decides about them.',
    { files },
  ),
  'feedback:told': says('A run was told feedback or answers that no run had been told before.', {
    titles: z.array(text),
  }),
  'limit:waiting': says('The worker waits for a usage limit to end.', { until: text, reason }),
  'limit:waited': says('The worker has stopped waiting.', {}),
  'outage:waiting': says(
    'The model is overloaded or cannot be reached. The worker waits and then tries again.',
    {
      until: text,
      reason,
      tries: number.check(z.describe('Runs in a row that the outage ended.')),
    },
  ),
  'outage:waited': says('The worker has stopped waiting for the model.', {}),

  'gate:start': says('The gate begins.', {}),
  'gate:verify': says('The verify command begins.', {
    command: text,
    endsBy: note('ISO time at which the command is ended if it still runs.'),
  }),
  'gate:output': says(
    'The verify command printed lines. At most one such event a second is written.',
    {
      lines: z
        .array(text)
        .check(z.describe('The last lines since the event before; long lines are cut.')),
      skipped: z.optional(number.check(z.describe('Lines before these that are left out.'))),
    },
  ),
  'gate:silent': says('The verify command has printed nothing for a long time. It goes on.', {
    command: text,
    since: note('ISO time of its last line, or of its start.'),
    endsBy: note('ISO time at which the command is ended if it still runs.'),
  }),
  'gate:check': says('One check of the gate ended.', { check: GateCheck }),
  'gate:unsigned': says('The evidence of the gate is not signed.', { reason }),
  'gate:other-key': says(
    "The evidence is signed with a key of SAGA's own, because the person's signing key does not work unattended.",
    { reason },
  ),
  'gate:passed': says('The gate passed.', {
    head: text,
    checks: z.optional(z.array(GateCheck)),
    again: z.optional(
      z.boolean().check(z.describe('False if the gate passed before and was not run again.')),
    ),
  }),
  'gate:failed': says('The gate failed.', { head: text, checks: z.array(GateCheck) }),
} as const;

export type EventType = keyof typeof EVENTS;
export type EventFields<T extends EventType> = z.infer<(typeof EVENTS)[T]>;
type EventOf<T extends EventType> = T extends EventType
  ? { time: string; type: T } & EventFields<T>
  : never;

/** One event, told apart by its `type`. */
export type RunEvent<T extends EventType = EventType> = EventOf<T>;

/** What a reader returns for a line that this version cannot read. It is never written to a file. */
export interface UnreadEvent {
  time: string;
  type: 'log:unread';
  /** The type of the line. */
  of: string;
  fields: Readonly<Record<string, unknown>>;
}

/** What readers of an output file receive. */
export type SessionEvent = RunEvent | UnreadEvent;

/** Writes an event to the output file and to all viewers. Never throws. */
export type Emit = <T extends EventType>(type: T, fields: EventFields<T>) => void;
