import { mkdirSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buildPaths, storyFile, storyFolderIn, taskFile } from '@saga-ai/core/project/paths';
import type { PlannedStory } from '../project/plan.ts';
import { type DashboardProcess, pause } from './process.ts';

const ROUNDS = 30;
const BURSTS = 7;
const IN_A_BURST = 20;

export interface ChangeTimes {
  /** Milliseconds from a write in a worktree until it is on the stream, each. */
  seen: number[];
  /** Milliseconds from the last write of a burst until the last of it is on the stream, each. */
  settled: number[];
}

/** Task files are written in worktrees, one at a time and in bursts, while one reads the stream. */
export async function measureChanges(
  dashboard: DashboardProcess,
  root: string,
  stories: readonly PlannedStory[],
): Promise<ChangeTimes> {
  const homes = stories.slice(0, IN_A_BURST).map((story) => openWorktree(root, story));
  await pause(2500);
  const stream = await listen(dashboard.port, dashboard.token);
  const seen: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await pause(200 + ((round * 137) % 600));
    const home = homes[round % homes.length];
    if (!home) break;
    const start = performance.now();
    home.write(round);
    seen.push((await stream.named([home.id], start)) - start);
  }
  const settled: number[] = [];
  for (let burst = 0; burst < BURSTS; burst++) {
    await pause(700);
    const start = performance.now();
    for (const home of homes) home.write(1000 + burst);
    const last = performance.now();
    const ids = homes.map((home) => home.id);
    settled.push((await stream.named(ids, start)) - last);
  }
  stream.leave();
  return { seen, settled };
}

/** The story's folder as git would have put it into the worktree. */
function openWorktree(root: string, { story, tasks }: PlannedStory) {
  const home = storyFolderIn(join(buildPaths(root).innerWorktrees, story.id), story.id);
  const [task] = tasks;
  if (!task) throw new Error(`${story.id} has no task.`);
  mkdirSync(home, { recursive: true });
  const write = (path: string, value: object) =>
    writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
  write(storyFile(home), story);
  for (const it of tasks) write(taskFile(home, it.id), it);
  return {
    id: story.id,
    write: (round: number) => {
      // The task in progress is part of what a screen shows, so each round shows another.
      const changed = { ...task, status: 'in_progress', subject: `Round ${round}` };
      write(join(home, `${task.id}.json`), changed);
    },
  };
}

async function listen(port: number, token: string) {
  const named: { at: number; stories: string[] }[] = [];
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'x-saga-token': token };
    const asked = { host: '127.0.0.1', port, path: '/api/events', agent: false, headers };
    get(asked, resolve).on('error', reject);
  });
  response.setEncoding('utf8').on('data', (text: string) => {
    for (const [, data = ''] of text.matchAll(/^data: (.*)$/gm)) {
      named.push({ at: performance.now(), stories: JSON.parse(data).stories ?? [] });
    }
  });
  return {
    leave: () => response.destroy(),
    /** When the last of these was named for the first time after a moment. */
    async named(ids: readonly string[], since: number): Promise<number> {
      for (;;) {
        const times = ids.map(
          (id) => named.find((it) => it.at > since && it.stories.includes(id))?.at,
        );
        if (times.every((time) => time !== undefined)) return Math.max(...times);
        if (performance.now() - since > 10_000) throw new Error('A change was not seen.');
        await pause(1);
      }
    },
  };
}
