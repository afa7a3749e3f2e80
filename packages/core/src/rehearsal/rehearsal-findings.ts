import type { Task } from '@saga-ai/types/plan/task';
import type { Cause } from '@saga-ai/types/run/cause';
import type { EventType, RunEvent } from '@saga-ai/types/run/event';
import type { GateCheck } from '@saga-ai/types/run/evidence';
import type { OutcomeKind } from '@saga-ai/types/run/session-record';
import { type Finding, ok, problem, warning } from '@saga-ai/types/screens/finding';
import { count, formatDuration } from '@saga-ai/types/words/amounts';
import { describeCause } from '@saga-ai/types/words/describe-cause';
import { MODEL_NOT_ASKED } from '../agents/claude/remedies.ts';

export interface RehearsalFacts {
  events: readonly RunEvent[];
  /** As the rehearsal left them. */
  tasks: readonly Task[];
  /** How often the scripted model was asked. */
  answers: number;
  /** The name of the file that nobody may write. */
  probe: string;
  isProbeThere: boolean;
  end: { kind: OutcomeKind; cause: Cause };
  /** The last lines of what the verify command said. */
  verifyOutput: string;
  /** Of the error, if it ended with one. */
  hint?: string;
}

/** What would work and what would not, step by step, from what the worker said while it tried. */
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
  const start = findLast(events, 'setup:start');
  const end = findLast(events, 'setup:end');
  if (!start || !end || (end.exitCode === null && kind === 'stopped')) return undefined;
  if (end.exitCode !== 0) {
    const said = tellingLines(end.outputEnd ?? '');
    const how = end.exitCode === null ? 'did not end in time' : `ended with code ${end.exitCode}`;
    const what = `${start.command} ${how}`;
    return problem('setup', [what, said].filter(Boolean).join('\n'), NO_SETUP);
  }
  const took = formatDuration(Date.parse(end.time) - Date.parse(start.time));
  return ok('setup', `${start.command} (${took})`);
}

function describePlan(event: RunEvent<'hydrate:done'> | undefined): Finding | undefined {
  return event && ok('plan', `${count(event.tasks, 'task')} in the client's own list`);
}

/** What the client did; nothing when it was never started. */
function describeRuns(facts: RehearsalFacts): Finding[] {
  const { events, tasks, answers } = facts;
  if (!events.some((it) => it.type === 'run:start')) return [];
  const [init] = listOf(events, 'run:init');
  // Stopped by a person before it came so far, it says nothing about either.
  if (facts.end.kind === 'stopped' && answers === 0) return [];
  return [
    describeClient(init, facts),
    answers > 0
      ? ok('model', `${count(answers, 'answer')} from the scripted model, nothing spent`)
      : problem('model', 'the client did not ask the scripted model', MODEL_NOT_ASKED),
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
    return problem('client', `did not come as far as its first event${why}`, hint || DOCTOR);
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
    ? problem('guard', 'let a write outside the worktree through', 'Report this: it is a fault')
    : warning('guard', 'was not asked about a write outside the worktree');
}

function describeCheck(check: GateCheck, facts: RehearsalFacts): Finding {
  const { name, outcome, detail } = check;
  if (outcome === 'passed') return ok(name, name === 'pushed' ? PUSHED : detail);
  if (outcome === 'failed') return describeFailure(check, facts);
  return name === 'verify'
    ? warning(name, `${detail}: nothing is tested`, NO_VERIFY)
    : ok(name, detail);
}

function describeFailure(
  { name, detail, files, wasStopped }: GateCheck,
  { verifyOutput, end, events }: RehearsalFacts,
): Finding {
  const what = detail.replace(STAND_IN, '');
  if (end.kind === 'stopped' && wasStopped) return warning(name, what);
  const told = (said: string, fix: string | undefined) =>
    problem(name, [what, said].filter(Boolean).join('\n'), fix);
  if (name === 'verify') {
    // It may pass and leave files all the same; about those it has nothing to say.
    return files === undefined ? told(tellingLines(verifyOutput), FIXES.verify) : told('', LEFT);
  }
  if (name !== 'committed') return told('', FIXES[name]);
  const said = findLastError(events);
  return told(said.text, said.isDenied ? NOT_ALLOWED : FIXES.committed);
}

/** The end of an output, and before it the lines that say what went wrong, if they are not in there. */
function tellingLines(output: string): string {
  const lines = output.trimEnd().split('\n');
  const end = lines.slice(-SHOWN_LINES);
  const telling = lines.slice(0, -SHOWN_LINES).filter((line) => TELLING.test(line));
  if (telling.length === 0) return end.join('\n');
  return [...telling.slice(0, 2), '…', ...end.slice(2)].join('\n');
}

const TELLING = /\b(error|missing|cannot|not found|refused|fail(ed|ure)?)\b/i;
const SHOWN_LINES = 5;

/** What git adds to every refusal names a folder that is gone by now. */
const STAND_IN = / · error: failed to push some refs to '[^']*'$/;

const PUSHED = 'to a stand-in, with the hooks of this repository; the remote itself was not asked';

const NO_VERIFY = `Name one: saga config gate.verify "npm test"`;

const NO_SETUP =
  'Change worktree.setup in .saga/config.json. With --keep the worktree stays, to try it there';

const NOT_IN_A_WORKTREE =
  'A hook or a command of this repository refuses: does it need what a fresh worktree has not (worktree.setup, .worktreeinclude)? With --keep the worktree stays, to try it there';

const NOT_ALLOWED = 'Allow it in .saga/config.json: worker.tools, such as "Bash(git commit:*)"';

const LEFT = 'Add them to .gitignore, or have the command remove them';

const FIXES: Partial<Record<GateCheck['name'], string>> = {
  verify:
    'If a new worktree lacks something that the command needs, add it with worktree.setup or .worktreeinclude. If the command can only pass once the real work is done, ignore this problem',
  committed: 'A run could not commit them, or the setup leaves them: then commit or ignore them',
  'protected-files': 'The rehearsal hints of the tasks write there: change them',
  'write-files': 'The rehearsal hints of the tasks, or the tests, are elsewhere: widen writeFiles',
  pushed: 'A hook of this repository (pre-push), or git itself, refuses it',
};

/** How it ended counts only where no step has said it. */
function describeEnd(facts: RehearsalFacts, found: readonly Finding[]): Finding[] {
  const { end, hint, events } = facts;
  if (end.kind === 'done' || found.some((it) => it.state === 'problem')) return [];
  const reason = describeCause(end.cause);
  if (end.kind === 'stopped') return [warning('end', reason)];
  // Nobody but a hint of the plan has a scripted model ask for a person.
  if (end.cause.kind === 'blocker') return [warning('end', `it would wait for you: ${reason}`)];
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

/** A commit is wrapped in what makes it repeatable; nobody needs to read that. */
const nameCommand = (command: string) =>
  /\bgit commit\b/.test(command) ? 'git commit' : (command.split('\n')[0] ?? '');

/** Which step it was that did not come to its end. */
function findStep(events: readonly RunEvent[]): string {
  const has = (...types: string[]) => events.some((it) => types.includes(it.type));
  if (!has('preflight:passed')) return 'preflight';
  return has('worktree:created', 'worktree:found') ? 'end' : 'worktree';
}

interface LastError {
  command?: string;
  text: string;
  /** The client's own rules did not allow it. */
  isDenied: boolean;
}

/** The last command that failed, and what it had to say; what the guard refuses is no failure. */
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
    ...(command === undefined ? {} : { command }),
  };
}
