import type { Task } from '@saga-ai/types/plan/task';
import type { GateCheck } from '@saga-ai/types/run/evidence';
import type { SessionEvent } from '@saga-ai/types/run/session-event';
import type { OutcomeKind } from '@saga-ai/types/run/session-record';
import { type Finding, ok, problem, warning } from '@saga-ai/types/screens/finding';
import { count, formatDuration } from '@saga-ai/types/words/amounts';
import { NEEDED_TOOLS } from '../agents/claude/client-invocation.ts';

export interface RehearsalFacts {
  events: readonly SessionEvent[];
  /** As the rehearsal left them. */
  tasks: readonly Task[];
  /** How often the scripted model was asked. */
  answers: number;
  /** The name of the file that nobody may write. */
  probe: string;
  isProbeThere: boolean;
  end: { kind: OutcomeKind; reason: string };
  /** The last lines of what the verify command said. */
  verifyOutput: string;
  /** Of the error, if it ended with one. */
  hint?: string;
}

// Events are read loosely and only ever shown.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Fields = Record<string, any>;

/** What would work and what would not, step by step, from what the worker said while it tried. */
export function describeRehearsal(facts: RehearsalFacts): Finding[] {
  const find = (type: string) => facts.events.findLast((it) => it.type === type) as Fields;
  const found = [
    describePreflight(find('preflight:passed')),
    describeWorktree(find('worktree:created') ?? find('worktree:found')),
    describeIncluded(find('worktree:included')),
    ...facts.events.flatMap((it) => (it.type === 'worktree:not-included' ? notIncluded(it) : [])),
    describeSetup(facts),
    describePlan(find('hydrate:done')),
    ...describeRuns(facts),
    ...facts.events
      .flatMap((it) => (it.type === 'gate:check' ? [(it as Fields).check as GateCheck] : []))
      .filter(({ name }) => name !== 'tasks')
      .map((check) => describeCheck(check, facts)),
  ].filter((it) => it !== undefined);
  return [...found, ...describeEnd(facts, found)];
}

function describePreflight(event: Fields | undefined): Finding | undefined {
  return event && ok('preflight', `claude ${event.claude}, git ${event.git}`);
}

function describeWorktree(event: Fields | undefined): Finding | undefined {
  return event && ok('worktree', `made on ${event.branch} from ${event.base}`);
}

function describeIncluded(event: Fields | undefined): Finding | undefined {
  return event && ok('included', `${event.files?.join(', ')} copied`);
}

function notIncluded({ path, reason }: Fields): Finding[] {
  return [warning('included', `${path} not copied: ${reason}`)];
}

function describeSetup({ events, end: { kind } }: RehearsalFacts): Finding | undefined {
  const start = events.find((it) => it.type === 'setup:start') as Fields | undefined;
  const end = events.find((it) => it.type === 'setup:end') as Fields | undefined;
  if (!start || !end || (end.exitCode === null && kind === 'stopped')) return undefined;
  if (end.exitCode !== 0) {
    const said = tellingLines(String(end.outputEnd ?? ''));
    const how = end.exitCode === null ? 'did not end in time' : `ended with code ${end.exitCode}`;
    const what = `${start.command} ${how}`;
    return problem('setup', [what, said].filter(Boolean).join('\n'), NO_SETUP);
  }
  const took = formatDuration(Date.parse(end.time) - Date.parse(start.time));
  return ok('setup', `${start.command} (${took})`);
}

function describePlan(event: Fields | undefined): Finding | undefined {
  return event && ok('plan', `${count(event.tasks, 'task')} in the client's own list`);
}

/** What the client did; nothing when it was never started. */
function describeRuns(facts: RehearsalFacts): Finding[] {
  const { events, tasks, answers } = facts;
  if (!events.some((it) => it.type === 'run:start')) return [];
  const init = events.find(
    (it) => it.type === 'run:system' && (it as Fields).claude?.subtype === 'init',
  ) as Fields | undefined;
  // Stopped by a person before it came so far, it says nothing about either.
  if (facts.end.kind === 'stopped' && answers === 0) return [];
  return [
    describeClient(init, facts),
    answers > 0
      ? ok('model', `${count(answers, 'answer')} from the scripted model, nothing spent`)
      : problem(
          'model',
          'the client did not ask the scripted model',
          'Look at .claude/settings.json: a hook may refuse the prompt, or an address or an account lead elsewhere',
        ),
    ...(init && answers > 0 ? [describeGuard(facts)] : []),
    describeTasks(tasks),
  ];
}

function describeClient(init: Fields | undefined, { end, hint }: RehearsalFacts): Finding {
  if (!init) {
    const why = end.kind === 'error' || end.kind === 'limit' ? `: ${end.reason}` : '';
    return problem('client', `did not come as far as its first event${why}`, hint || DOCTOR);
  }
  const missing = NEEDED_TOOLS.filter((tool) => !init.claude.tools?.includes(tool));
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
  const denials = events.filter((it) => it.type === 'guard:denied') as Fields[];
  const isRefused = denials.some((it) => String(it.input?.file_path ?? '').endsWith(`/${probe}`));
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
  { name, detail, files }: GateCheck,
  { verifyOutput, end, events }: RehearsalFacts,
): Finding {
  const what = detail.replace(STAND_IN, '');
  if (end.kind === 'stopped' && detail.endsWith(end.reason)) return warning(name, what);
  const told = (said: string, fix: string | undefined) =>
    problem(name, [what, said].filter(Boolean).join('\n'), fix);
  if (name === 'verify') {
    // It may pass and leave files all the same; about those it has nothing to say.
    return files === undefined ? told(tellingLines(verifyOutput), FIXES.verify) : told('', LEFT);
  }
  if (name !== 'committed') return told('', FIXES[name]);
  const said = findLastError(events);
  return told(said.text, said.text.startsWith('Permission') ? NOT_ALLOWED : FIXES.committed);
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
    'If it lacks something that a fresh worktree has not: worktree.setup, .worktreeinclude. If only the real work can make it pass, all is well',
  committed: 'A run could not commit them, or the setup leaves them: then commit or ignore them',
  'protected-files': 'The rehearsal hints of the tasks write there: change them',
  'write-files': 'The rehearsal hints of the tasks, or the tests, are elsewhere: widen writeFiles',
  pushed: 'A hook of this repository (pre-push), or git itself, refuses it',
};

/** How it ended counts only where no step has said it. */
function describeEnd(facts: RehearsalFacts, found: readonly Finding[]): Finding[] {
  const { end, hint, events } = facts;
  if (end.kind === 'done' || found.some((it) => it.state === 'problem')) return [];
  if (end.kind === 'stopped') return [warning('end', end.reason)];
  // Nobody but a hint of the plan has a scripted model ask for a person.
  if (end.kind === 'needs-you' && end.reason.startsWith('open blocker')) {
    return [warning('end', `it would wait for you: ${end.reason}`)];
  }
  const [, task] = /^tried too often: (.+)$/.exec(end.reason) ?? [];
  const said = findLastError(events);
  if (task === undefined) {
    const told = [end.reason, said.text].filter(Boolean).join('\n');
    return [problem(findStep(events), told, hint || undefined)];
  }
  const what = said.command
    ? `${nameCommand(said.command)} failed in task ${task}`
    : `task ${task} failed`;
  return [problem('runs', [what, said.text].filter(Boolean).join('\n'), NOT_IN_A_WORKTREE)];
}

/** A commit is wrapped in what makes it repeatable; nobody needs to read that. */
const nameCommand = (command: string) =>
  /\bgit commit\b/.test(command) ? 'git commit' : (command.split('\n')[0] ?? '');

/** Which step it was that did not come to its end. */
function findStep(events: readonly SessionEvent[]): string {
  const has = (...types: string[]) => events.some((it) => types.includes(it.type));
  if (!has('preflight:passed')) return 'preflight';
  return has('worktree:created', 'worktree:found') ? 'end' : 'worktree';
}

/** The last command that failed, and what it had to say; what the guard refuses is no failure. */
function findLastError(events: readonly SessionEvent[]): { command?: string; text: string } {
  const refused = new Set(
    events.flatMap((it) => (it.type === 'guard:denied' ? [String((it as Fields).reason)] : [])),
  );
  const commands = new Map<string, string>();
  let last: { command?: string; text: string } = { text: '' };
  for (const event of events) {
    for (const part of listContent(event)) {
      if (part.type === 'tool_use') commands.set(part.id, part.input?.command);
      if (part.is_error !== true) continue;
      // Behind that word the client tells the model how to behave.
      const text = String(part.content).replace(/ IMPORTANT: .*$/s, '');
      if ([...refused].some((it) => text.includes(it))) continue;
      const command = commands.get(part.tool_use_id);
      last = { text: tellingLines(text), ...(command ? { command } : {}) };
    }
  }
  return last;
}

function listContent(event: SessionEvent): Fields[] {
  const content = (event as Fields).claude?.message?.content;
  return Array.isArray(content) ? content : [];
}
