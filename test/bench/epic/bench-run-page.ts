import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeProcess } from '@saga-ai/core/processes/identity';
import { acquireLock } from '@saga-ai/core/processes/lock';
import { workerLock } from '@saga-ai/core/project/paths';
import type { RunEvent } from '@saga-ai/types/run/event';
import { formatSessionEvent } from '@saga-ai/types/run/format-event';
import { createPlan, type Plan } from '../../rig/project/plan.ts';
import { startSilentEpic } from '../../rig/worker/silent-epic.ts';
import { pause, startDashboardProcess } from '../dashboard/process.ts';
import { formatTable } from '../measure/table.ts';
import { formatTime } from '../measure/tables.ts';
import type { Target } from '../measure/targets.ts';
import { measureBusy, openTabs, type Page } from '../pages/open-tabs.ts';

const STORIES = 1000;
const LAYERS = 25;
const WORKERS = 8;
const WATCHED_MS = 10_000;
const WRITE_EVERY_MS = 500;

const PAINT_MS = 1000;
const CHANGE_MS = 8;
const BUSY = 0.05;

/** The page of a run with a thousand stories: its first paint, one change, and eight workers that write. */
export async function benchRunPage(
  saga: string,
  env: NodeJS.ProcessEnv,
): Promise<{ table: string; targets: Target[] }> {
  using plan = createPlan();
  const ids = writeEpic(plan);
  using epic = await startSilentEpic(plan, 'big', {
    startedAt: Date.now() - 600_000,
    ...{ stories: STORIES, jobs: WORKERS },
  });
  const workers = await Promise.all(
    ids.slice(0, WORKERS).map((id) => startTalker(plan, id, epic.tell)),
  );
  await using dashboard = await startDashboardProcess(saga, plan.root, env);
  await dashboard.isVerified();
  await using tabs = await openTabs();
  const address = dashboard.url.replace('/?', '/epics/big?');
  const paints: number[] = [];
  for (let round = 0; round < 5; round++) paints.push(await measurePaint(tabs.open, address));
  const page = await tabs.open(address);
  await page
    .locator('.timeline-story')
    .nth(STORIES - 1)
    .waitFor({ state: 'attached' });
  await pause(3000);
  const idle = await measureBusy(page, async () => {
    await pause(WATCHED_MS);
  });
  const [first] = workers;
  const rounds = WATCHED_MS / 1000;
  const one = await measureBusy(page, async () => {
    for (let round = 0; round < rounds; round++) {
      first?.(round);
      await pause(1000);
    }
  });
  const change = Math.max(0, ((one - idle) * WATCHED_MS) / rounds);
  const busy = await measureBusy(page, async () => {
    for (let round = 0; round * WRITE_EVERY_MS < WATCHED_MS; round++) {
      for (const talk of workers) talk(round);
      await pause(WRITE_EVERY_MS);
    }
  });
  const paint = paints.toSorted((a, b) => a - b)[2] ?? Number.NaN;
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return {
    table: formatTable([
      ['the page of a run', `${STORIES} stories`],
      ['first paint, median of 5', formatTime(paint)],
      ['main thread for one change', formatTime(change)],
      [`main thread, ${WORKERS} workers`, percent(busy)],
      ['main thread, nothing happens', percent(idle)],
    ]),
    targets: [
      checkTime('run page: first paint', paint, PAINT_MS),
      checkTime('run page: main thread for one change', change, CHANGE_MS),
      {
        about: `run page: main thread with ${WORKERS} workers`,
        found: percent(busy),
        limit: percent(BUSY),
        met: busy <= BUSY,
      },
    ],
  };
}

/** Milliseconds until the first content is painted, with nothing kept from before. */
async function measurePaint(open: (url: string) => Promise<Page>, url: string): Promise<number> {
  const page = await open(url);
  const read = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN";
  const painted = (await page.evaluate(read)) as number;
  await page.close();
  return painted;
}

/** One epic in layers, each story behind one or two of the layer before. */
function writeEpic(plan: Plan): string[] {
  const width = STORIES / LAYERS;
  const ids = Array.from({ length: STORIES }, (_, i) => `story-${i}`);
  const children: Record<string, string[]> = {};
  for (const [i, id] of ids.entries()) {
    const before = i < width ? [] : [i - width, i % 3 === 0 ? i - width + 1 : -1];
    children[id] = before.flatMap((at) => (at >= 0 ? (ids[at] ?? []) : []));
    plan.story(
      id,
      { epic: 'big', title: `Story number ${i}` },
      { [`${id}-a`]: {}, [`${id}-b`]: {} },
    );
  }
  plan.epic('big', children);
  return ids;
}

/** A worker that lives as this process. Returns what lets it make one call. */
async function startTalker(
  plan: Plan,
  story: string,
  tell: (seconds: number, event: { type: string }) => void,
): Promise<(round: number) => void> {
  const startedAt = Date.now() - 300_000;
  const session = `saga-story-${story}-${startedAt}`;
  const outputFile = join(plan.root, `${session}.jsonl`);
  const record = {
    ...{ version: 1, session, story, ...describeProcess(process.pid), outputFile, tmux: false },
    ...{ startedAt: new Date(startedAt).toISOString(), model: 'opus', cycle: 1 },
    ...{ tokens: 1000, costUsd: 0.1, task: 'Working on it' },
  };
  const talk = (round: number) => {
    const time = new Date().toISOString();
    const summary = `npm test -- round ${round}`;
    const call = { id: `${round}`, name: 'Bash', kind: 'command', summary, input: {} };
    const event = { time, type: 'run:tool', ...call } as RunEvent;
    appendFileSync(outputFile, formatSessionEvent(event));
    plan.write(`.git/saga/runs/sessions/${session}.json`, {
      ...record,
      activity: `Bash ${summary}`,
    });
  };
  await acquireLock(workerLock(plan.paths, story), 0);
  talk(0);
  tell(300, { type: 'epic:started', story, session } as never);
  return talk;
}

const checkTime = (about: string, found: number, limit: number): Target => ({
  ...{ about, found: formatTime(found), limit: formatTime(limit), met: found <= limit },
});
