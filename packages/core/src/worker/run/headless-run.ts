import type { Emit } from '@saga-ai/types/run/session-event';
import { NEEDED_TOOLS } from '../../agents/claude/client-invocation.ts';
import { describeTool } from '../../agents/claude/describe-tool.ts';
import {
  classifyRun,
  countTokens,
  findReset,
  type ResultEvent,
  type Usage,
} from '../../agents/claude/run-result.ts';
import { armDeadline } from '../../processes/deadline.ts';
import {
  type Environment,
  type Lifeline,
  type StartedProgram,
  startProgram,
} from '../../processes/run.ts';
import { stopProgram } from '../../processes/stop-program.ts';
import type { LastRun, StopCause } from '../decide/next-cycle.ts';
import type { Guard } from './guard.ts';

export interface HeadlessRequest {
  program: string;
  args: readonly string[];
  env: Environment;
  cwd: string;
  prompt: string;
  runId: string;
  guard: Guard;
  /** By path in the worktree; everything if not given. */
  mayWrite?: (path: string) => boolean;
  deadline: number;
  /** Tokens this run may still use. */
  maxTokens: number | null;
  stop: AbortSignal;
  lifeline: Lifeline;
  emit: Emit;
  onStatus(taskId: string, status: string): void;
}

export interface RunReport extends LastRun {
  costUsd: number;
  tokens: number;
}

/** One `claude -p`, from its start to the end of the last process it left. */
export async function runHeadless(request: HeadlessRequest): Promise<RunReport> {
  const { emit, guard, deadline, stop, runId } = request;
  guard.reset(request.mayWrite);
  const watch = new StreamWatch(request, (cause, detail) => end(cause, detail));
  let stopped: { cause: StopCause; detail: string } | undefined;
  let stopping: Promise<void> | undefined;
  const { program: path, args, env, cwd, prompt, lifeline } = request;
  const options = { cwd, env, input: prompt, lifeline };
  const program: StartedProgram = startProgram(path, args, options, (line) => watch.read(line));
  const end = (cause: StopCause, detail: string) => {
    // What its last lines say counts, though they may be read after its end; a clock then does not.
    const isOver = program.hasEnded();
    if (stopped || (isOver && (cause === 'time' || cause === 'signal'))) return;
    stopped = { cause, detail };
    emit('run:stopping', { cause, detail });
    if (!isOver) stopping = stopProgram(program, runId);
  };
  using _armed = armDeadline(deadline, stop, (cause) =>
    cause === 'time' ? end('time', 'the time is up') : end('signal', String(stop.reason)),
  );
  try {
    const ended = await program.ended;
    await stopping;
    const { outcome, detail } = classifyRun({ ...ended, ...watch.findings() });
    return {
      outcome,
      detail: stopped?.detail ?? detail,
      ...(stopped ? { stoppedBy: stopped.cause } : {}),
      ...watch.reset(),
      costUsd: watch.costUsd,
      tokens: watch.tokens(),
    };
  } finally {
    // A background command of the run may outlive it.
    await stopProgram(program, runId);
  }
}

/** Reads the client's stream: what it cannot understand it passes over. */
class StreamWatch {
  private readonly request: HeadlessRequest;
  private readonly end: (cause: StopCause, detail: string) => void;
  private sawInit = false;
  private result: ResultEvent | undefined;
  private lastError: string | undefined;
  private resultTokens = 0;
  private readonly usageOfMessage = new Map<string, number>();
  costUsd = 0;
  private resetsAt: number | undefined;

  constructor(request: HeadlessRequest, end: (cause: StopCause, detail: string) => void) {
    this.request = request;
    this.end = end;
  }

  findings() {
    const { sawInit, result, lastError } = this;
    return { sawInit, ...(result ? { result } : {}), ...(lastError ? { lastError } : {}) };
  }

  reset(): { resetsAt?: number } {
    const resetsAt = this.resetsAt ?? findReset(this.result?.result ?? '');
    return resetsAt === undefined ? {} : { resetsAt };
  }

  tokens(): number {
    let live = 0;
    for (const tokens of this.usageOfMessage.values()) live += tokens;
    return Math.max(live, this.resultTokens);
  }

  read(line: string): void {
    const event = parseLine(line);
    if (!event) {
      if (line.trim() !== '') this.request.emit('run:noise', { text: line.slice(0, 2000) });
      return;
    }
    switch (event.type) {
      case 'system':
        this.readSystem(event);
        break;
      case 'assistant':
        this.readAssistant(event);
        break;
      case 'user':
        this.readUser(event);
        break;
      case 'result':
        this.readResult(event);
        break;
      case 'rate_limit_event':
        this.readRateLimit(event);
        break;
      default:
        this.request.emit('run:event', { claude: event });
    }
  }

  private readSystem(event: StreamEvent): void {
    const { emit, guard } = this.request;
    emit(event.subtype === 'api_retry' ? 'run:retry' : 'run:system', { claude: event });
    if (event.subtype === 'init') {
      this.sawInit = true;
      const missing = NEEDED_TOOLS.filter((tool) => !event.tools?.includes(tool));
      if (missing.length > 0) {
        this.end('no-task-tools', `the client does not offer ${missing.join(', ')}`);
      }
      // It asks about the prompt before this event, and asks the model after it.
      if (!guard.isAwake()) {
        this.end('guard-silent', 'the client did not ask the guard about the prompt');
      }
    } else if (event.subtype === 'api_retry') {
      this.lastError = event.error;
      if (event.error === 'authentication_failed') {
        this.end('credential', 'the model provider refuses the credential (401)');
      }
    }
  }

  private readAssistant(event: StreamEvent): void {
    const { emit, guard, maxTokens } = this.request;
    const { message } = event;
    const calls = message?.content?.filter((it) => it.type === 'tool_use') ?? [];
    const [call] = calls;
    const fields = call ? { tool: describeTool(call.name ?? '', call.input ?? {}) } : {};
    if (message?.id !== undefined) {
      this.usageOfMessage.set(message.id, countTokens(message.usage));
    }
    const tokens = this.tokens();
    emit(call ? 'run:tool' : 'run:text', { ...fields, tokens, claude: event });
    if (event.error !== undefined) this.lastError = event.error;
    if (call && !guard.isAwake()) {
      this.end('guard-silent', 'the client did not ask the guard before its first tool call');
    }
    if (maxTokens !== null && tokens >= maxTokens) {
      this.end('tokens', `the token budget is spent: ${tokens}`);
    }
  }

  private readUser(event: StreamEvent): void {
    const { emit, guard, onStatus } = this.request;
    emit('run:result', { claude: event });
    const content = Array.isArray(event.message?.content) ? event.message.content : [];
    for (const { type, is_error, tool_use_id } of content) {
      if (type !== 'tool_result' || is_error || tool_use_id === undefined) continue;
      if (!guard.wasAskedAbout(tool_use_id)) {
        this.end('guard-silent', `a tool ran without asking the guard (${tool_use_id})`);
      }
    }
    const { taskId, statusChange } = event.tool_use_result ?? {};
    if (taskId !== undefined && statusChange?.to !== undefined) onStatus(taskId, statusChange.to);
  }

  private readResult(event: StreamEvent): void {
    this.request.emit('run:outcome', { claude: event });
    this.result = event as ResultEvent;
    // The cost is of the whole run; tokens only of the part since the result before.
    this.costUsd = Math.max(this.costUsd, this.result.total_cost_usd ?? 0);
    this.resultTokens += countTokens(this.result.usage);
  }

  private readRateLimit(event: StreamEvent): void {
    this.request.emit('run:rate-limit', { claude: event });
    const { status, resetsAt } = event.rate_limit_info ?? {};
    if (status !== 'rejected') return;
    this.lastError = 'usage_limit';
    if (typeof resetsAt === 'number') this.resetsAt = resetsAt * 1000;
  }
}

/** What we look at in the client's events; all of it may be missing. */
interface StreamEvent {
  type?: string;
  subtype?: string;
  tools?: string[];
  error?: string;
  message?: {
    id?: string;
    usage?: Usage;
    content?: {
      type?: string;
      name?: string;
      input?: Record<string, unknown>;
      tool_use_id?: string;
      is_error?: boolean;
    }[];
  };
  tool_use_result?: { taskId?: string; statusChange?: { to?: string } };
  rate_limit_info?: { status?: string; resetsAt?: number };
}

function parseLine(line: string): StreamEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as StreamEvent) : undefined;
  } catch {
    // Warnings of the client are plain text.
    return undefined;
  }
}
