import type { Task } from '@saga-ai/types/plan/task';
import type { Cause } from '@saga-ai/types/run/cause';
import type { EventType, RunEvent } from '@saga-ai/types/run/event';
import type { GateCheck } from '@saga-ai/types/run/evidence';
import type { OutcomeKind } from '@saga-ai/types/run/session-record';
import { type Finding, ok, problem, warning } from '@saga-ai/types/screens/finding';
import { count, formatDuration } from '@saga-ai/types/words/amounts';
import { describeCause } from '@saga-ai/types/words/describe-cause';
import type { AgentWords } from '../agents/agent.ts';

export interface RehearsalFacts {
  events: readonly RunEvent[];
  /** The tasks as the rehearsal left them. */
  tasks: readonly Task[];
  /** How often the scripted model was asked. */
  answers: number;
  /** The name of the file that a run tries to write outside the worktree. */
  probe: string;
  isProbeThere: boolean;
  words: Pick<AgentWords, 'commitRule' | 'modelNotAsked'>;
  end: { kind: OutcomeKind; cause: Cause };
  /** The last lines of the verify command's output. */
  verifyOutput: string;
  /** The hint of the error, if the rehearsal ended with one. */
  hint?: string;
}

/** Derives from the worker's events, step by step, what would work and what would not. */
export function describeRehearsal(facts: RehearsalFacts): Finding[] {
  const find = <T extends EventType>(type: T) => findLast(facts.events, type);
  const found = [
    describePreflight(find('preflight:passed')),
    describeWorktree(find('worktree:created') ?? find('worktree:found')),
    describeIncluded(find('worktree:included')),
    ...listOf(facts.events, 'worktree:not-included').map(describeNotIncluded),
    describeSetup(facts),
    describePlan(find('hydrate:done')),
    ...describeRuns(facts),
    ...listOf(facts.events, 'gate:check')
      .map(({ check }) => check)
      .filter(({ name }) => name !== 'tasks')
      .map((check) => describeCheck(check, facts)),
  ].filter((it) => it !== undefined);
  return [...found, ...describeEnd(facts, found)];
}

function listOf<T extends EventType>(events: readonly RunEvent[], type: T): RunEvent<T>[] {
  return events.filter((it): it is RunEvent<T> => it.type === type);
}

function findLast<T extends EventType>(
  events: readonly RunEvent[],
  type: T,
): RunEvent<T> | undefined {
  return events.findLast((it): it is RunEvent<T> => it.type === type);
}

function describePreflight(event: RunEvent<'preflight:passed'> | undefined): Finding | undefined {
  return event && ok('preflight', `claude ${event.claude}, git ${event.git}`);
}

function describeWorktree(
  event: RunEvent<'worktree:created' | 'worktree:found'> | undefined,
): Finding | undefined {
  return event && ok('worktree', `made on ${event.branch} from ${event.base}`);
}

function describeIncluded(event: RunEvent<'worktree:included'> | undefined): Finding | undefined {
  return event && ok('included', `${event.files.join(', ')} copied`);
}

function describeNotIncluded({ path, reason }: RunEvent<'worktree:not-included'>): Finding {
  return warning('included', `${path} not copied: ${reason}`);
}

function describeSetup({ events, end: { kind } }: RehearsalFacts): Finding | undefined {
  // Setup in the gate's clean checkout belongs to verify.
  const inWorktree = events.filter((it) => !('checkout' in it));
  const start = findLast(inWorktree, 'setup:start');
  const end = findLast(inWorktree, 'setup:end');
  if (!start || !end || (end.exitCode === null && kind === 'stopped')) return undefined;
  if (end.exitCode !== 0) {
    const said = tellingLines(end.outputEnd ?? '');
    const how = end.exitCode === null ? 'did not end in time' : `ended with code ${end.exitCode}`;
    const what = `${start.command} ${how}`;
    return problem('setup', [what, said].filter(Boolean).join('\n'), end.wall ?? NO_SETUP);
  }
  const took = formatDuration(Date.parse(end.time) - Date.parse(start.time));
  return ok('setup', `${start.command} (${took})`);
}

function describePlan(event: RunEvent<'hydrate:done'> | undefined): Finding | undefined {
  return event && ok('plan', `${count(event.tasks, 'task')} in the client's own list`);
}

/** Describes what the client did. Returns [] if the client was never started. */
function describeRuns(facts: RehearsalFacts): Finding[] {
  const { events, tasks, answers } = facts;
  if (!events.some((it) => it.type === 'run:start')) return [];
  const [init] = listOf(events, 'run:init');
  // A rehearsal that a person stopped before the first answer says nothing about client or model.
  if (facts.end.kind === 'stopped' && answers === 0) return [];
  return [
    describeClient(init, facts),
    answers > 0
      ? ok('model', `${count(answers, 'answer')} from the scripted model, nothing spent`)
      : problem('model', 'the client did not ask the scripted model', facts.words.modelNotAsked),
    ...(init && answers > 0 ? [describeGuard(facts)] : []),
    describeTasks(tasks),
  ];
}

function describeClient(
  init: RunEvent<'run:init'> | undefined,
  { end, hint }: RehearsalFacts,
): Finding {
  if (!init) {
    const why = end.kind === 'error' || end.kind === 'limit' ? `: ${describeCause(end.cause)}` : '';
    return problem('client', `ended before its first event${why}`, hint || DOCTOR);
  }
  const { missing } = init;
  if (missing.length === 0) return ok('client', 'starts, and offers its Task tools');
  return problem('client', `does not offer ${missing.join(', ')}`, hint || DOCTOR);
}

const DOCTOR = 'saga doctor';

function describeTasks(tasks: readonly Task[]): Finding {
  const completed = tasks.filter((task) => task.status === 'completed').length;
  const told = `${completed} of ${count(tasks.length, 'task')} completed`;
  return completed === tasks.length
    ? ok('tasks', `${told}, and the story's files say so`)
    : warning('tasks', told);
}

function describeGuard({ events, probe, isProbeThere }: RehearsalFacts): Finding {
  const denials = listOf(events, 'guard:denied');
  const isRefused = denials.some(({ path }) => path?.endsWith(`/${probe}`));
  if (isRefused && !isProbeThere) return ok('guard', 'refused a write outside the worktree');
  return isProbeThere
    ? problem('guard', 'let a write outside the worktree through', 'Report this as a bug')
    : warning('guard', 'was not asked about a write outside the worktree');
}

/**
 * Describes a check of the gate. Leaves out checks that are not configured, but warns if there is no verify command.
 */
function describeCheck(check: GateCheck, facts: RehearsalFacts): Finding | undefined {
  const { name, outcome, detail } = check;
  if (outcome === 'passed') return ok(name, name === 'pushed' ? PUSHED : detail);
  if (outcome === 'failed') return describeFailure(check, facts);
  return name === 'verify'
    ? warning(name, 'unverified: no verify command is configured, so nothing is tested', NO_VERIFY)
    : undefined;
}

function describeFailure(
  { name, detail, files, wasStopped }: GateCheck,
  { verifyOutput, end, events, words }: RehearsalFacts,
): Finding {
  const what = detail.replace(STAND_IN, '');
  if (end.kind === 'stopped' && wasStopped) return warning(name, what);
  const told = (said: string, fix: string | undefined) =>
    problem(name, [what, said].filter(Boolean).join('\n'), fix);
  if (name === 'verify') {
    // If the command passed but left files, its output does not explain that.
    return files === undefined ? told(tellingLines(verifyOutput), FIXES.verify) : told('', LEFT);
  }
  if (name !== 'committed') return told('', FIXES[name]);
  const said = findLastError(events);
  return told(said.text, said.isDenied ? allow(words.commitRule) : FIXES.committed);
}

/** Returns the end of an output, preceded by the lines that name errors, if they are not part of it. */
function tellingLines(output: string): string {
  const lines = output.trimEnd().split('\n');
  const end = lines.slice(-SHOWN_LINES);
  const telling = lines.slice(0, -SHOWN_LINES).filter((line) => TELLING.test(line));
  if (telling.length === 0) return end.join('\n');
  return [...telling.slice(0, 2), '…', ...end.slice(2)].join('\n');
}

const TELLING = /\b(error|missing|cannot|not found|refused|fail(ed|ure)?)\b/i;
const SHOWN_LINES = 5;

/** git adds this line to every refused push. It names the stand-in, which is removed by now. */
const STAND_IN = / · error: failed to push some refs to '[^']*'$/;

const PUSHED = 'to a stand-in, with the hooks of this repository; the remote itself was not asked';

const NO_VERIFY = `Name one: saga config gate.verify "npm test"`;

const NO_SETUP =
  'Change worktree.setup in .saga/config.json. To try it in the worktree, keep it with --keep';

const NOT_IN_A_WORKTREE =
  'A hook or a command of this repository refuses: does it need something that a fresh worktree lacks (worktree.setup, .worktreeinclude)? To try it in the worktree, keep it with --keep';

const allow = (rule: string) => `Allow it in .saga/config.json: worker.tools, such as "${rule}"`;

const LEFT = 'Add them to .gitignore, or have the command remove them';

const FIXES: Partial<Record<GateCheck['name'], string>> = {
  verify:
    'If it needs something that a fresh worktree lacks: worktree.setup, .worktreeinclude. If it can only pass once the real work is done, ignore this',
  committed: 'A run could not commit them, or the setup leaves them: then commit or ignore them',
  changed:
    'The rehearsal hints of the tasks change no file: add one to a hint, or say in noChange why none is needed',
  'protected-files': 'The rehearsal hints of the tasks write these files: change the hints',
  'write-files': 'The rehearsal hints or the tests write other files: add them to writeFiles',
  pushed: 'A hook of this repository (pre-push), or git itself, refuses it',
};

/** Describes the end, unless a step has already explained it. */
function describeEnd(facts: RehearsalFacts, found: readonly Finding[]): Finding[] {
  const { end, hint, events } = facts;
  if (end.kind === 'done' || found.some((it) => it.state === 'problem')) return [];
  const reason = describeCause(end.cause);
  if (end.kind === 'stopped') return [warning('end', reason)];
  // A scripted model only asks for a person if a hint in the plan says so.
  if (end.cause.kind === 'blocker')
    return [warning('end', `the story would wait for you: ${reason}`)];
  const said = findLastError(events);
  if (end.cause.kind !== 'escalated') {
    const told = [reason, said.text].filter(Boolean).join('\n');
    return [problem(findStep(events), told, hint || undefined)];
  }
  const task = end.cause.tasks.join(', ');
  const what = said.command
    ? `${nameCommand(said.command)} failed in task ${task}`
    : `task ${task} failed`;
  return [problem('runs', [what, said.text].filter(Boolean).join('\n'), NOT_IN_A_WORKTREE)];
}

/** Names a command. A commit is wrapped in a script that makes it repeatable; the name leaves that out. */
const nameCommand = (command: string) =>
  /\bgit commit\b/.test(command) ? 'git commit' : (command.split('\n')[0] ?? '');

/** Returns the step that did not finish. */
function findStep(events: readonly RunEvent[]): string {
  const has = (...types: string[]) => events.some((it) => types.includes(it.type));
  if (!has('preflight:passed')) return 'preflight';
  return has('worktree:created', 'worktree:found') ? 'end' : 'worktree';
}

interface LastError {
  command?: string;
  text: string;
  /** True if the client's own permission rules denied the command. */
  isDenied: boolean;
}

/** Returns the last command that failed, with its output. A call that the guard refused is not a failure. */
function findLastError(events: readonly RunEvent[]): LastError {
  const refused = new Set(listOf(events, 'guard:denied').map(({ id }) => id));
  const last = events.findLast(
    (it) => it.type === 'run:result' && it.isError === true && !refused.has(it.id),
  ) as RunEvent<'run:result'> | undefined;
  if (!last) return { text: '', isDenied: false };
  const { command } = listOf(events, 'run:tool').find(({ id }) => id === last.id) ?? {};
  return {
    text: tellingLines(last.text),
    isDenied: last.isDenied === true,
    command,
  };
}
