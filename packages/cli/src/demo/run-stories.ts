import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@saga-ai/core/errors';
import { openGit } from '@saga-ai/core/git/git';
import { loadOverview } from '@saga-ai/core/overview/overview';
import { runProgram } from '@saga-ai/core/processes/run';
import { loadSessionRecords, stateOfSession } from '@saga-ai/core/records/session-records';
import { startWorker } from '@saga-ai/core/sessions/start-worker';
import { stopSession } from '@saga-ai/core/sessions/stop-session';
import type { SessionRecord } from '@saga-ai/types/run/session-record';
import type { Overview, StoryView } from '@saga-ai/types/screens/overview';
import type { DemoFolder } from './demo-folder.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

export interface StoryRunner {
  demo: DemoFolder;
  program: readonly string[];
  userId: number | undefined;
  hasTmux: boolean;
  stop: AbortSignal;
  /** Called often while something runs. */
  show(overview: Overview): void;
  say(event: StoryEvent): void;
}

export type StoryEvent =
  | { kind: 'started'; story: string }
  | { kind: 'ended'; story: string; outcome: string; reason: string; elapsedMs: number }
  | { kind: 'merged'; story: string };

const EVERY_MS = 120;
const MAX_TRIES = 3;
const MAX_MS = 3 * 60_000;
const ORDER = SAMPLE_PLAN.stories.map(({ id }) => id);

/** One story after the other, as soon as those before it are done and merged, until none can start. */
export async function runStories(runner: StoryRunner, tries = new Map<string, number>()) {
  const { demo, stop } = runner;
  while (!stop.aborted) {
    const overview = await loadOverview(demo.paths);
    runner.show(overview);
    const next = pickNext(overview, tries);
    if (!next) return;
    tries.set(next.id, (tries.get(next.id) ?? 0) + 1);
    await runOne(runner, next.id);
  }
}

function pickNext({ stories }: Overview, tries: ReadonlyMap<string, number>) {
  const canRun = (story: StoryView) =>
    story.status !== 'completed' &&
    !story.running &&
    story.needsYou === null &&
    story.blockedBy.length === 0 &&
    (tries.get(story.id) ?? 0) < MAX_TRIES;
  return stories.filter(canRun).toSorted((a, b) => ORDER.indexOf(a.id) - ORDER.indexOf(b.id))[0];
}

async function runOne(runner: StoryRunner, storyId: string): Promise<void> {
  const { demo, stop, say, show } = runner;
  const started = Date.now();
  say({ kind: 'started', story: storyId });
  const known = new Set(loadSessionRecords(demo.paths).records.map((it) => it.session));
  const start = runner.hasTmux ? startInTmux(runner, storyId) : startBeside(runner, storyId);
  let failure: string | undefined;
  start.catch((error) => {
    failure = messageOf(error);
  });
  for (;;) {
    const find = () =>
      loadSessionRecords(demo.paths).records.find(
        (it) => it.story === storyId && !known.has(it.session),
      );
    const living = find();
    if (living && stop.aborted) await stopSession(living);
    const record = stop.aborted ? find() : living;
    if (record && stateOfSession(record) !== 'running') {
      await finish(runner, record, started);
      return;
    }
    if (Date.now() - started > MAX_MS) {
      if (living) await stopSession(living);
      failure ??= 'it takes far longer than it should';
    }
    if (failure !== undefined) {
      const elapsedMs = Date.now() - started;
      say({ kind: 'ended', story: storyId, outcome: 'error', reason: failure, elapsedMs });
      return;
    }
    show(await loadOverview(demo.paths));
    await sleep(EVERY_MS);
  }
}

async function startInTmux({ demo, program, userId }: StoryRunner, storyId: string) {
  await startWorker({
    paths: demo.paths,
    storyId,
    command: [...program, 'worker', storyId],
    env: demo.env,
    userId,
    timestamp: Date.now(),
  });
}

/** Without tmux the same worker is a child of ours. */
async function startBeside({ demo, program }: StoryRunner, storyId: string) {
  const [node = '', ...rest] = program;
  const options = { cwd: demo.paths.root, env: demo.env, timeoutMs: MAX_MS, maxOutput: 64 * 1024 };
  const { code, stderr } = await runProgram(node, [...rest, 'worker', storyId], options);
  if (code === 1) throw new Error(stderr.trim().split('\n')[0] || 'the worker ended with code 1');
}

async function finish(
  { demo, say, show }: StoryRunner,
  record: SessionRecord,
  started: number,
): Promise<void> {
  const { story, outcome = 'error', reason = 'the worker died' } = record;
  say({ kind: 'ended', story, outcome, reason, elapsedMs: Date.now() - started });
  if (outcome === 'done') {
    await merge(demo, story);
    say({ kind: 'merged', story });
  }
  show(await loadOverview(demo.paths));
}

/** What a reviewer would do, so that the stories that wait for this one find its work. */
async function merge({ paths, env }: DemoFolder, storyId: string): Promise<void> {
  const git = openGit(paths.root, env);
  await git.run(['merge', '-q', '--no-ff', '-m', `Merge ${storyId}`, `story/${storyId}`]);
  await git.run(['push', '-q', 'origin', 'main']);
}
