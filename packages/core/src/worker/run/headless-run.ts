import type { StopCause } from '@saga-ai/types/run/cause';
import type { Emit } from '@saga-ai/types/run/event';
import { formatCall } from '@saga-ai/types/words/format-call';
import type { Agent, Told } from '../../agents/agent.ts';
import { armDeadline } from '../../processes/deadline.ts';
import {
  type Channel,
  type Environment,
  type Lifeline,
  type StartedProgram,
  startProgram,
} from '../../processes/run.ts';
import { stopProgram } from '../../processes/stop-program.ts';
import type { LastRun } from '../decide/next-cycle.ts';
import { CheckIns } from './check-in.ts';
import type { Guard } from './guard.ts';
import { hasChangedFiles, measureRun } from './look-at-run.ts';
import { type MessageSource, Talk } from './talk.ts';
import type { Missing } from './watch-home.ts';

export interface HeadlessRequest {
  agent: Pick<Agent, 'openStream' | 'findRemedy' | 'talk'>;
  version: string;
  /** What earlier runs of the same conversation cost. */
  earlierCostUsd: number;
  program: string;
  args: readonly string[];
  env: Environment;
  cwd: string;
  prompt: string;
  runId: string;
  guard: Guard;
  /** Whether the run may write a path of the worktree. If undefined, the run may write every path. */
  mayWrite?: (path: string) => boolean;
  /** True if the run answers a question with a schema, and needs no tasks. */
  isQuestion?: boolean;
  deadline: number;
  /** The tokens that this run may still use. */
  maxTokens: number | null;
  stop: AbortSignal;
  lifeline: Lifeline;
  converse?: ((channel: Channel) => void) | undefined;
  emit: Emit;
  onStatus(taskId: string, status: string): void;
  /** What people say to the run while it works. */
  messages?: MessageSource;
  /**
   * How often there is a check-in, and how many check-ins may find no sign of life. If undefined, there are no
   * check-ins.
   */
  checkIn?: {
    minutes: number;
    misses: number;
    /** The end of the command line of the agent, also behind walls. */
    commandLine: string;
  };
  /** Calls back once something that the run needs is gone. */
  watch?(onMissing: (missing: Missing) => void): Disposable;
}

export interface RunReport extends LastRun {
  costUsd: number;
  tokens: number;
  contextTokens: number;
  /** What the agent answered to a question. */
  answer?: unknown;
  /** The agent was cut off before it said what the run cost. */
  isCostEstimated?: true;
  /** No price of the model is known. */
  isCostUnknown?: true;
}

/** Runs the agent once and waits until every process it started has ended. */
export async function runHeadless(request: HeadlessRequest): Promise<RunReport> {
  const { agent, emit, guard, deadline, stop, runId } = request;
  guard.reset(request.mayWrite);
  const stream = agent.openStream(request);
  let stopped: { cause: StopCause; detail: string } | undefined;
  let stopping: Promise<void> | undefined;
  const { program: path, args, env, cwd, prompt, lifeline } = request;
  const read = (line: string) => {
    for (const told of stream.read(line)) {
      tell(emit, told);
      judge(told, request, end);
      if (told.type === 'run:tool') checkIns?.calls(formatCall(told));
      if (told.type === 'run:retry') checkIns?.waitsFor(told.delayMs ?? 0);
      if (told.type === 'run:heard') talk.heard(told.id);
      if (told.type === 'run:outcome') talk.turnEnded();
    }
  };
  const { converse } = request;
  const options = { cwd, env, lifeline, isOpen: true, converse };
  const program: StartedProgram = startProgram(path, args, options, read);
  const talk = new Talk({ wire: agent.talk, program, source: request.messages, emit });
  talk.begin(prompt);
  const end = (cause: StopCause, detail: string) => {
    // The last lines may be read after the program has ended and still count; a deadline or a signal does
    // not.
    const isOver = program.hasEnded();
    if (stopped || (isOver && (cause === 'time' || cause === 'signal'))) return;
    stopped = { cause, detail };
    emit('run:stopping', { cause, detail });
    if (!isOver) stopping = stopProgram(program, runId);
  };
  using _armed = armDeadline(deadline, stop, (cause) =>
    cause === 'time' ? end('time', 'the time is up') : end('signal', String(stop.reason)),
  );
  const { checkIn } = request;
  using checkIns =
    checkIn &&
    new CheckIns({
      everyMs: checkIn.minutes * 60_000,
      misses: checkIn.misses,
      countLines: () => stream.signs,
      measure: () => measureRun(program.pid, runId, checkIn.commandLine),
      hasChangedFiles: (since) => hasChangedFiles(cwd, since),
      ask: (question) => talk.say(question),
      end: (detail) => end('stalled', detail),
      emit,
    });
  using _messages = request.messages?.watch(() => talk.deliver());
  using _watched = request.watch?.(({ cause, detail }) => end(cause, detail));
  try {
    const ended = await program.ended;
    await stopping;
    const verdict = stream.classify(ended);
    const remedy = agent.findRemedy(stopped?.cause ?? verdict.outcome);
    return {
      ...verdict,
      ...(stopped ? { detail: stopped.detail, stoppedBy: stopped.cause } : {}),
      remedy,
      costUsd: stream.costUsd,
      tokens: stream.tokens,
      contextTokens: stream.contextTokens,
      answer: request.isQuestion ? stream.answer : undefined,
      isCostEstimated: stream.isCostEstimated ? true : undefined,
      isCostUnknown: stream.isCostUnknown ? true : undefined,
    };
  } finally {
    // End the background commands that the run left.
    await stopProgram(program, runId);
  }
}

/** Stops the run if an event calls for it, and passes on status changes. */
function judge(
  told: Told,
  { guard, maxTokens, onStatus, isQuestion }: HeadlessRequest,
  end: (cause: StopCause, detail: string) => void,
): void {
  const isGuarded = guard.wasAskedAboutPrompt();
  switch (told.type) {
    case 'run:init':
      if (told.missing.length > 0 && !isQuestion) {
        end('no-task-tools', `the client does not offer ${told.missing.join(', ')}`);
      }
      // The client asks about the prompt before this event, and asks the model after it.
      if (!isGuarded) end('guard-silent', 'the client did not ask the guard about the prompt');
      break;
    case 'run:retry':
      if (told.isRefused) end('credential', 'the model provider refuses the credential (401)');
      break;
    case 'run:tool':
      if (!isGuarded) {
        end('guard-silent', 'the client did not ask the guard before its first tool call');
      }
      break;
    case 'run:result':
      if (!told.isError && told.id !== '' && !guard.wasAskedAbout(told.id)) {
        end('guard-silent', `a tool ran without asking the guard (${told.id})`);
      }
      if (told.status) onStatus(told.status.task, told.status.to);
      break;
  }
  const tokens = ('tokens' in told ? told.tokens : undefined) ?? 0;
  if (maxTokens !== null && tokens >= maxTokens) {
    end('tokens', `the token budget is spent: ${tokens}`);
  }
}

/**
 * Emits an event. The cast is needed because the compiler cannot see that its type and fields belong
 * together.
 */
function tell(emit: Emit, { type, ...fields }: Told): void {
  (emit as (type: string, fields: object) => void)(type, fields);
}
