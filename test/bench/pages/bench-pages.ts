import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPaths, taskFile } from '@saga-ai/core/project/paths';
import type { Task } from '@saga-ai/types/plan/task';
import { pause, startDashboardProcess } from '../dashboard/process.ts';
import { formatTable } from '../measure/table.ts';
import { formatTime } from '../measure/tables.ts';
import type { Target } from '../measure/targets.ts';
import { makeProject } from '../project/make-project.ts';
import { buildPlan, type Plan, type PlannedStory } from '../project/plan.ts';
import { measureBusy, openTabs, whenShown } from './open-tabs.ts';

const STORIES = 10_000;
const ROUNDS = 15;
const TABS = 12;
const NODES = 300;
const LAYERS = 10;
const CHANGING = 8;
const EVERY_MS = 250;
const WATCHED_MS = 8000;

const SHOWN_MS = 100;
const BUSY = 0.2;

interface PageFigures {
  /** Milliseconds from a write until a page shows it, each: of a story's page and of home. */
  story: number[];
  home: number[];
  /** Milliseconds from a write until the last of all tabs shows it. */
  tabs: number;
  /** How many of the tabs got an answer and may act. */
  acting: number;
  busy: number;
}

/** The pages in a real browser: how soon they show a change, how busy a large graph is, and many tabs. */
export async function benchPages(
  workshop: string,
  saga: string,
  env: NodeJS.ProcessEnv,
): Promise<{ table: string; targets: Target[] }> {
  const many = await measureMany(join(workshop, 'pages', 'many'), saga, env);
  const busy = await measureGraph(join(workshop, 'pages', 'graph'), saga, env);
  const found: PageFigures = { ...many, busy };
  const percent = `${(busy * 100).toFixed(1)} %`;
  return {
    table: formatTable([
      ['pages', `${STORIES} stories`],
      ['a change on the page of its story, median', formatTime(median(found.story))],
      ['  slowest', formatTime(Math.max(...found.story))],
      ['a change on home, median', formatTime(median(found.home))],
      ['  slowest', formatTime(Math.max(...found.home))],
      [`a change on the last of ${TABS} tabs`, formatTime(found.tabs)],
      ['  tabs that may act', String(found.acting)],
      [`main thread, graph of ${NODES}, ${CHANGING} changing 4 times a second`, percent],
    ]),
    targets: [
      checkTime('pages: a change on the page of its story, median', median(found.story)),
      checkTime('pages: a change on home, median', median(found.home)),
      {
        about: `pages: of ${TABS} tabs, live and acting`,
        found: String(found.acting),
        limit: `${TABS}, and no fewer`,
        met: found.acting === TABS,
      },
      {
        about: `pages: main thread with a graph of ${NODES}`,
        found: percent,
        limit: `${BUSY * 100} %`,
        met: busy <= BUSY,
      },
    ],
  };
}

async function measureMany(root: string, saga: string, env: NodeJS.ProcessEnv) {
  mkdirSync(root, { recursive: true });
  const plan = buildPlan(STORIES);
  makeProject(root, plan);
  const [, worked] = plan.stories;
  if (!worked) throw new Error('The plan has no story.');
  const { id } = worked.story;
  await using dashboard = await startDashboardProcess(saga, root, env);
  await dashboard.isVerified();
  await using tabs = await openTabs();
  const { origin } = new URL(dashboard.url);
  const home = await tabs.open(`${dashboard.url}&q=${id}`);
  const story = await tabs.open(`${origin}/stories/${id}`);
  const times = { home: [] as number[], story: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    await pause(500 + ((round * 137) % 400));
    const completed = round % 2 === 0 ? 3 : 2;
    const seen = [whenShown(home, `${completed}/5`), whenShown(story, `${completed} of 5`)];
    await pause(50);
    const start = now();
    complete(root, worked, completed);
    const [onHome = Number.NaN, onStory = Number.NaN] = await Promise.all(seen);
    times.home.push(onHome - start);
    times.story.push(onStory - start);
  }
  const pages = [home, story];
  while (pages.length < TABS) pages.push(await tabs.open(`${origin}/stories/${id}`));
  const seen = pages.slice(1).map((page) => whenShown(page, '4 of 5'));
  await pause(500);
  const start = now();
  complete(root, worked, 4);
  const last = Math.max(...(await Promise.all(seen))) - start;
  const acts = await Promise.all(
    pages.map((page) =>
      page.evaluate(`fetch('/api/token', {
        method: 'POST',
        headers: { 'x-saga-token': localStorage.getItem('saga-token') },
        signal: AbortSignal.timeout(5000),
      }).then((it) => it.ok, () => false)`),
    ),
  );
  return { ...times, tabs: last, acting: acts.filter(Boolean).length };
}

async function measureGraph(root: string, saga: string, env: NodeJS.ProcessEnv): Promise<number> {
  mkdirSync(root, { recursive: true });
  const plan = buildGraph();
  makeProject(root, plan);
  await using dashboard = await startDashboardProcess(saga, root, env);
  await dashboard.isVerified();
  await using tabs = await openTabs();
  const page = await tabs.open(dashboard.url.replace('/?', '/epics/graph?'));
  await page
    .locator('.react-flow__node')
    .nth(NODES - 1)
    .waitFor({ state: 'attached' });
  await pause(3000);
  return await measureBusy(page, async () => {
    for (let round = 0; round * EVERY_MS < WATCHED_MS; round++) {
      for (const story of plan.stories.slice(0, CHANGING)) {
        complete(root, story, 1 + (round % 4));
      }
      await pause(EVERY_MS);
    }
  });
}

/** One epic in layers, each story behind one or two of the layer before. */
function buildGraph(): Plan {
  const { stories, ready } = buildPlan(NODES);
  const width = NODES / LAYERS;
  const idOf = (i: number) => stories[i]?.story.id ?? '';
  const children = stories.map(({ story }, i) => {
    const before = [i - width, i % 3 === 0 ? i - width + 1 : -1].filter((at) => at >= 0);
    return { id: story.id, blockedBy: i < width ? [] : before.map(idOf) };
  });
  const open = stories.map(({ story, tasks, waitsFor }) => ({
    story: { ...story, epic: 'graph' },
    tasks: tasks.map((task) => ({ ...task, status: 'pending' as const })),
    waitsFor,
  }));
  const epic = { id: 'graph', title: 'A large epic', description: 'Of many.', children };
  return { stories: open, epics: [epic], ready };
}

/** As a worker does it: writes the files of the tasks whose status changes. */
function complete(root: string, { story, tasks }: PlannedStory, completed: number): void {
  const home = join(buildPaths(root).stories, story.id);
  const before = completedOf.get(story.id) ?? tasks.filter(isCompleted).length;
  completedOf.set(story.id, completed);
  for (const [i, task] of tasks.entries()) {
    if (i < completed === i < before) continue;
    const status = i < completed ? 'completed' : 'pending';
    writeFileSync(taskFile(home, task.id), `${JSON.stringify({ ...task, status }, null, 2)}\n`);
  }
}

const completedOf = new Map<string, number>();
const isCompleted = ({ status }: Task) => status === 'completed';

function checkTime(about: string, found: number): Target {
  return { about, found: formatTime(found), limit: formatTime(SHOWN_MS), met: found <= SHOWN_MS };
}

const now = () => performance.timeOrigin + performance.now();

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
