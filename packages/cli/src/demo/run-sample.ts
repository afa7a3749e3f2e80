import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadRunLines } from '@saga-ai/core/epic/look/load-run-lines';
import { startEpic } from '@saga-ai/core/epic/start-epic';
import { SagaError } from '@saga-ai/core/errors';
import { ensureSessionFolder } from '@saga-ai/core/files/session-folder';
import { loadOverview } from '@saga-ai/core/overview/overview';
import { startLifeline } from '@saga-ai/core/processes/lifeline';
import { startProgram } from '@saga-ai/core/processes/run';
import { loadSessionRecord, stateOfSession } from '@saga-ai/core/records/session-records';
import { followLines } from '@saga-ai/core/sessions/follow-log';
import { stopSession } from '@saga-ai/core/sessions/stop-session';
import { waitForWord } from '@saga-ai/core/sessions/wait-for-word';
import type { SessionEvent } from '@saga-ai/types/run/event';
import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import type { Overview } from '@saga-ai/types/screens/overview';
import { formatEpicSession } from '@saga-ai/types/words/names';
import type { DemoFolder } from './demo-folder.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

export interface SampleRunner {
  demo: DemoFolder;
  program: readonly string[];
  userId: number | undefined;
  hasTmux: boolean;
  /** Nobody can answer a question, so the run ends when only a person can help. */
  isAlone: boolean;
  stop: AbortSignal;
  show(overview: Overview, runs: ReadonlyMap<string, string>): void;
  say(event: SampleEvent): void;
}

export type SampleEvent =
  | { kind: 'started'; story: string }
  | { kind: 'ended'; story: string; outcome: string; reason: string; elapsedMs: number }
  | { kind: 'not-started' | 'not-merged'; story: string; reason: string }
  | { kind: 'merged'; story: string; into: string };

/** After the first story, three can go on at the same time. */
const JOBS = 3;
const MAX_MINUTES = 15;
const EVERY_MS = 120;
/** A scheduler writes its record right after its first event. */
const RECORD_MS = 30_000;

/** The run of the sample's epic. It is stopped, with all its workers, when it is disposed of. */
export interface SampleRun extends AsyncDisposable {
  /** Resolves when the run ends, or when nothing can go on without a person. */
  untilIdle(): Promise<void>;
}

/** Runs the sample's epic as `saga run till` does. */
export async function startSample(runner: SampleRunner): Promise<SampleRun> {
  const { stop } = runner;
  const scheduler = await startScheduler(runner);
  const onStop = () => void scheduler.stop();
  stop.addEventListener('abort', onStop);
  if (stop.aborted) onStop();
  return {
    async untilIdle() {
      const idle = new AbortController();
      const showing = showUntil(runner, idle.signal);
      try {
        await tellUntilIdle(runner, scheduler);
      } finally {
        idle.abort();
        await showing;
      }
    },
    async [Symbol.asyncDispose]() {
      stop.removeEventListener('abort', onStop);
      await scheduler.stop();
    },
  };
}

/** Shows where the epic stands. */
export async function showOnce({ demo, show }: SampleRunner): Promise<Overview> {
  const overview = await loadOverview(demo.paths, demo.env);
  show(overview, await loadRunLines(demo.paths, overview, Date.now()));
  return overview;
}

async function showUntil(runner: SampleRunner, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await showOnce(runner);
    await sleep(EVERY_MS, undefined, { signal: over }).catch(() => {
      // The run is over; the condition of the loop ends the loop.
    });
  }
}

async function tellUntilIdle({ say }: SampleRunner, { outputFile, isOver }: Scheduler) {
  const startedAt = new Map<string, number>();
  for await (const lines of followLines(outputFile, 0, isOver)) {
    for (const event of lines.flatMap((line) => parseSessionEvent(line) ?? [])) {
      if (event.type === 'epic:waits') return;
      const told = toSampleEvent(event, startedAt);
      if (told) say(told);
    }
  }
}

function toSampleEvent(
  event: SessionEvent,
  startedAt: Map<string, number>,
): SampleEvent | undefined {
  switch (event.type) {
    case 'epic:started':
      startedAt.set(event.story, Date.parse(event.time));
      return { kind: 'started', story: event.story };
    case 'epic:ended': {
      const { story, kind: outcome, reason, time } = event;
      const elapsedMs = Date.parse(time) - (startedAt.get(story) ?? Date.parse(time));
      return { kind: 'ended', story, outcome, reason, elapsedMs };
    }
    case 'epic:merged':
      return { kind: 'merged', story: event.story, into: event.into };
    case 'epic:not-started':
      return { kind: 'not-started', story: event.story, reason: event.reason };
    case 'epic:not-merged':
      return { kind: 'not-merged', story: event.story, reason: event.detail };
    default:
      return undefined;
  }
}

/** The scheduler of the sample's epic, in a process of its own. */
interface Scheduler {
  outputFile: string;
  isOver(): boolean;
  /** Asks the scheduler to end, with all its workers. */
  stop(): Promise<void>;
}

/**
 * Starts the scheduler in tmux, as `saga run` does. Without tmux, starts it as a child process that also runs the
 * workers.
 */
async function startScheduler(runner: SampleRunner): Promise<Scheduler> {
  const { demo, program, userId, hasTmux, isAlone } = runner;
  const { paths, env } = demo;
  const alone = isAlone ? ['--no-wait', `--max-time=${MAX_MINUTES}`] : [];
  const command = [...program, 'worker', SAMPLE_PLAN.id, `--jobs=${JOBS}`, ...alone];
  if (!hasTmux) return startChild(runner, command);
  const storyId = SAMPLE_PLAN.id;
  const started = await startEpic({ paths, storyId, command, env, userId, timestamp: Date.now() });
  const { session, outputFile } = started;
  const latest = Date.now() + RECORD_MS;
  const isOver = () => {
    const record = loadSessionRecord(paths, session);
    return record ? stateOfSession(record) !== 'running' : Date.now() > latest;
  };
  return {
    outputFile,
    isOver,
    async stop() {
      const record = loadSessionRecord(paths, session);
      if (record) await stopSession(record);
    },
  };
}

async function startChild(
  { demo: { paths, env }, userId }: SampleRunner,
  command: readonly string[],
): Promise<Scheduler> {
  const session = formatEpicSession({ storyId: SAMPLE_PLAN.id, timestamp: Date.now() });
  const outputFile = join(ensureSessionFolder(env, userId), `${session}.jsonl`);
  const [program = '', ...args] = [...command, '--output-file', outputFile];
  const lifeline = startLifeline(paths.repository, session);
  const child = startProgram(program, args, { cwd: paths.root, env, lifeline }, () => {});
  const { state } = await waitForWord(outputFile, async () => !child.hasEnded());
  if (state === 'gone') {
    const { stderr } = await child.ended;
    throw new SagaError(
      'session-failed',
      `The epic could not be run: ${stderr.trim()}`,
      'Try again.',
    );
  }
  return {
    outputFile,
    isOver: child.hasEnded,
    async stop() {
      if (!child.hasEnded()) child.signal('SIGTERM');
      await child.ended;
      lifeline[Symbol.dispose]();
    },
  };
}
