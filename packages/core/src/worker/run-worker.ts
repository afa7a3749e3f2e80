import type { RunEvent } from '@saga-ai/types/run/event';
import { EXIT_CODES } from '@saga-ai/types/run/session-record';
import { describeCause } from '@saga-ai/types/words/describe-cause';
import { agent } from '../agents/chosen.ts';
import { SagaError } from '../errors.ts';
import { openGit } from '../git/git.ts';
import type { Notifier } from '../notify/notifier.ts';
import { findBaseBranch } from '../overview/facts/base-branches.ts';
import { startLifeline } from '../processes/lifeline.ts';
import {
  findSecretsOf,
  type Outcome,
  type Worker,
  type WorkerOrder,
  withoutEngine,
} from './context.ts';
import { toErrorEnd } from './error-end.ts';
import { gateStory } from './gate-story.ts';
import { limitNetworkTime } from './network-limits.ts';
import { openNotifier } from './open-notifier.ts';
import { runStory } from './run-story.ts';
import { keepUnheard } from './run-until-done.ts';
import { maskEvents, openSessionLog } from './session-log.ts';
import { SessionTracker } from './track-session.ts';

export interface WorkerRequest extends WorkerOrder {
  outputFile: string;
  tmux: boolean;
  /** The socket of the tmux server around this process. */
  tmuxSocket?: string | undefined;
  listen(event: RunEvent): void;
}

export interface WorkerEnd extends Outcome {
  /** The cause in words. */
  reason: string;
  exitCode: number;
  /** Only set if the outcome is an error. */
  error?: unknown;
}

/**
 * Runs a story and always writes its output file, its record and its final event, even if an error is
 * thrown.
 */
export async function runWorker(request: WorkerRequest): Promise<WorkerEnd> {
  const { outputFile, tmux, tmuxSocket, listen, ...asked } = request;
  const rest = { ...asked, env: withoutEngine(asked.env) };
  const tracker = new SessionTracker(rest, { outputFile, tmux, tmuxSocket });
  let notifier: Notifier | undefined;
  const read = (event: RunEvent) => {
    tracker.read(event);
    notifier?.read(event);
  };
  using log = openSessionLog(outputFile, read, listen);
  using lifeline = startLifeline(rest.paths.repository, rest.session);
  using network = limitNetworkTime(rest, lifeline);
  const secrets = findSecretsOf({ ...rest, agent });
  const emit = maskEvents(log.emit, secrets);
  // A person who calls saga gate or saga rehearse watches the command and needs no news.
  if (!rest.onlyGate && !rest.rehearsal) {
    notifier = openNotifier({ ...rest, agent }, { kind: 'story', secrets, lifeline, emit });
  }
  const worker: Unbased = { ...rest, agent, emit, lifeline, network };
  emit('worker:start', { story: rest.storyId, session: rest.session, pid: process.pid });
  const end = await runAndFollow(worker);
  // After the lock is released: a command that sends a message from now on sees that no worker works on the story.
  await keepUnheard(worker).catch(() => {
    // If this fails, the next worker keeps the messages.
  });
  // Before the record says that the session is over: readers that follow the session stop reading then.
  await notifier?.end(end);
  tracker.end(end);
  const { error, remedy: _, ...told } = end;
  emit('worker:end', {
    ...told,
    ...(error instanceof SagaError ? { code: error.code, hint: error.hint } : {}),
    ...tracker.totals,
    elapsedMs: Date.now() - rest.timestamp,
  });
  return end;
}

/** Each round of work finds its base anew: the branch of an epic may be made while a worker follows. */
type Unbased = Omit<Worker, 'base'>;

async function findBaseOf(worker: Unbased): Promise<Worker> {
  const { paths, storyId, config, env } = worker;
  const git = openGit(paths.root, env);
  return { ...worker, base: await findBaseBranch(paths, storyId, config, git) };
}

/** Runs the story and, if that is wanted, watches its pull request afterwards, with a time limit of its own. */
async function runAndFollow(worker: Unbased): Promise<WorkerEnd> {
  const first = await runToEnd(worker);
  const { pullRequest } = worker.config;
  if (first.kind !== 'done' || !pullRequest.follow || worker.onlyGate || worker.rehearsal) {
    return first;
  }
  const deadline = Date.now() + pullRequest.followHours * 3_600_000;
  using network = limitNetworkTime({ deadline, stop: worker.stop }, worker.lifeline);
  try {
    const { followStory } = await import('./follow/follow-story.ts');
    const based = await findBaseOf(worker);
    const last = await followStory({ ...based, deadline, network }, first, runToEnd);
    return 'exitCode' in last ? last : toEnd(last);
  } catch (thrown) {
    return toErrorEnd(thrown);
  }
}

async function runToEnd(worker: Unbased): Promise<WorkerEnd> {
  try {
    const based = await findBaseOf(worker);
    const outcome = await (worker.onlyGate ? gateStory(based) : runStory(based));
    return toEnd(outcome);
  } catch (thrown) {
    return toErrorEnd(thrown);
  }
}

function toEnd(outcome: Outcome): WorkerEnd {
  const { kind, cause, remedy } = outcome;
  const reason = describeCause(cause);
  const error =
    remedy &&
    new SagaError(remedy.code, `The run failed: ${reason.replace(/\.+$/, '')}.`, remedy.hint);
  return { ...outcome, reason, exitCode: EXIT_CODES[kind], error };
}
