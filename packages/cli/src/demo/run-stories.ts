import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@saga-ai/core/errors';
import { openGit } from '@saga-ai/core/git/git';
import { loadOverview } from '@saga-ai/core/overview/overview';
import { armDeadline } from '@saga-ai/core/processes/deadline';
import { createInProcessLauncher } from '@saga-ai/core/sessions/in-process-launcher';
import type { Handle, LaunchEnd, Launcher } from '@saga-ai/core/sessions/launcher';
import { createTmuxLauncher } from '@saga-ai/core/sessions/tmux-launcher';
import type { Overview, StoryView } from '@saga-ai/types/screens/overview';
import { environment } from '../environment.ts';
import type { DemoFolder } from './demo-folder.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

export interface StoryRunner {
  demo: DemoFolder;
  program: readonly string[];
  userId: number | undefined;
  hasTmux: boolean;
  stop: AbortSignal;
  /** Called often while a story runs. */
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

/** Runs one story after the other until none can start. A story starts when those it waits for are merged. */
export async function runStories(runner: StoryRunner, tries = new Map<string, number>()) {
  const { demo, stop } = runner;
  while (!stop.aborted) {
    const overview = await loadOverview(demo.paths, demo.env);
    runner.show(overview);
    const next = pickNext(overview, tries);
    if (!next) return;
    tries.set(next.id, (tries.get(next.id) ?? 0) + 1);
    await runOne(runner, next.id);
  }
}

function pickNext({ stories }: Overview, tries: ReadonlyMap<string, number>) {
  const canRun = (story: StoryView) =>
    (story.state === 'ready' || story.state === 'interrupted') &&
    story.blockedBy.length === 0 &&
    (tries.get(story.id) ?? 0) < MAX_TRIES;
  return stories.filter(canRun).toSorted((a, b) => ORDER.indexOf(a.id) - ORDER.indexOf(b.id))[0];
}

async function runOne(runner: StoryRunner, storyId: string): Promise<void> {
  const { stop, say } = runner;
  const started = Date.now();
  say({ kind: 'started', story: storyId });
  let handle: Handle;
  try {
    handle = await createLauncher(runner).start(storyId);
  } catch (error) {
    const elapsedMs = Date.now() - started;
    say({ kind: 'ended', story: storyId, outcome: 'error', reason: messageOf(error), elapsedMs });
    return;
  }
  let tooLong = false;
  using _armed = armDeadline(started + MAX_MS, stop, (cause) => {
    tooLong = cause === 'time';
    void handle.stop(tooLong ? TOO_LONG : String(stop.reason));
  });
  const end = await showUntil(runner, handle.ended);
  await finish(
    runner,
    storyId,
    tooLong ? { ...end, kind: 'error', reason: TOO_LONG } : end,
    started,
  );
}

const TOO_LONG = 'the story took far too long and was stopped';

/** Runs the story in tmux, as `saga run` does. Without tmux it runs in this process. */
function createLauncher({ demo, program, userId, hasTmux }: StoryRunner): Launcher {
  const { paths, env } = demo;
  return hasTmux
    ? createTmuxLauncher({ paths, program, env, userId })
    : createInProcessLauncher({
        paths,
        env,
        userId,
        agentHome: { config: environment.claudeConfig(env) },
      });
}

async function showUntil(
  { demo, show }: StoryRunner,
  ended: Promise<LaunchEnd>,
): Promise<LaunchEnd> {
  for (;;) {
    const end = await Promise.race([ended, sleep(EVERY_MS)]);
    if (end) return end;
    show(await loadOverview(demo.paths, demo.env));
  }
}

async function finish(
  { demo, say, show }: StoryRunner,
  story: string,
  { kind: outcome, reason }: LaunchEnd,
  started: number,
): Promise<void> {
  say({ kind: 'ended', story, outcome, reason, elapsedMs: Date.now() - started });
  if (outcome === 'done') {
    await merge(demo, story);
    say({ kind: 'merged', story });
  }
  show(await loadOverview(demo.paths, demo.env));
}

/** Merges the story, as a reviewer would, so that the stories that wait for it contain its work. */
async function merge({ paths, env }: DemoFolder, storyId: string): Promise<void> {
  const git = openGit(paths.root, env);
  await git.run(['merge', '-q', '--no-ff', '-m', `Merge ${storyId}`, `story/${storyId}`]);
  await git.run(['push', '-q', 'origin', 'main']);
}
