import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildPaths } from '@saga-ai/core/project/paths';
import { formatTable } from '../measure/table.ts';
import { formatMemory, formatTime } from '../measure/tables.ts';
import type { Target } from '../measure/targets.ts';
import type { Plan } from '../project/plan.ts';
import { type ChangeTimes, measureChanges } from './changes.ts';
import { type DashboardProcess, pause, startDashboardProcess } from './process.ts';
import { type DashboardProject, makeDashboardProject } from './project.ts';

const SIZES = [100, 10_000] as const;
const WARM_STARTS = 7;
const COLD_STARTS = 3;
const REQUESTS = 60;

const WARM_MS = 300;
const COLD_MS = 3000;
const MEMORY = 150;
const ANSWER_MS = 50;
const SEEN_MS = 100;
const SETTLED_MS = 300;

interface DashboardFigures extends ChangeTimes {
  warm: number[];
  warmCpu: number[];
  cold: number[];
  coldCpu: number[];
  /** Megabytes, after all that was asked. */
  memory: number;
  peak: number;
  /** Milliseconds by address. */
  answers: Map<string, number[]>;
}

/** `saga dashboard` with few stories and with very many: to start, to answer, to notice. */
export async function benchDashboard(
  workshop: string,
  saga: string,
  env: NodeJS.ProcessEnv,
  busy: boolean,
): Promise<{ table: string; targets: Target[] }> {
  const figures: DashboardFigures[] = [];
  for (const size of SIZES) {
    const root = join(workshop, 'dashboard', String(size));
    const project = makeDashboardProject(root, size, env);
    await pause(200);
    figures.push(await measureDashboard(saga, root, project, env));
  }
  const row = (name: string, cell: (it: DashboardFigures) => string) => [
    name,
    ...figures.map(cell),
  ];
  return {
    table: formatTable([
      ['dashboard', ...SIZES.map((size) => `${size} stories`)],
      row('start to first answer, warm, median', (it) => formatTime(median(it.warm))),
      row('  fastest', (it) => formatTime(Math.min(...it.warm))),
      row('  CPU', (it) => formatTime(Math.min(...it.warmCpu))),
      row('start to first answer, cold, median', (it) => formatTime(median(it.cold))),
      row('  CPU', (it) => formatTime(Math.min(...it.coldCpu))),
      row('resident', (it) => formatMemory(it.memory)),
      row('  at most', (it) => formatMemory(it.peak)),
      ...[...(figures[0]?.answers.keys() ?? [])].map((path) =>
        row(`${path}, p95`, (it) => formatTime(percentile(it.answers.get(path) ?? [], 0.95))),
      ),
      row('a write in a worktree on the stream, median', (it) => formatTime(median(it.seen))),
      row('  p95', (it) => formatTime(percentile(it.seen, 0.95))),
      row('20 writes settled, median', (it) => formatTime(median(it.settled))),
      row('  slowest', (it) => formatTime(Math.max(...it.settled))),
    ]),
    targets: figures.flatMap((it, i) => checkFigures(it, `${SIZES[i]} stories`, busy)),
  };
}

function checkFigures(it: DashboardFigures, size: string, busy: boolean): Target[] {
  const slowest = Math.max(...[...it.answers.values()].map((times) => percentile(times, 0.95)));
  const time = (about: string, found: number, limit: number) => ({
    about: `dashboard, ${size}: ${about}`,
    found: formatTime(found),
    limit: formatTime(limit),
    met: found <= limit,
  });
  return [
    // As for the other commands: the fastest, or processor time where others use the machine too.
    time('start to first answer, warm', Math.min(...(busy ? it.warmCpu : it.warm)), WARM_MS),
    time('start to first answer, cold', Math.min(...(busy ? it.coldCpu : it.cold)), COLD_MS),
    time('any answer, p95', slowest, ANSWER_MS),
    time('a write in a worktree seen, median', median(it.seen), SEEN_MS),
    time('20 writes settled, median', median(it.settled), SETTLED_MS),
    {
      about: `dashboard, ${size}: resident`,
      found: formatMemory(it.memory),
      limit: formatMemory(MEMORY),
      met: it.memory <= MEMORY,
    },
  ];
}

async function measureDashboard(
  saga: string,
  root: string,
  project: DashboardProject,
  env: NodeJS.ProcessEnv,
): Promise<DashboardFigures> {
  const { plan } = project;
  const cold: number[] = [];
  const coldCpu: number[] = [];
  for (let i = 0; i < COLD_STARTS; i++) {
    rmSync(buildPaths(root).cache, { recursive: true, force: true });
    await using it = await startDashboardProcess(saga, root, env);
    cold.push(it.firstAnswer);
    coldCpu.push(it.firstAnswerCpu);
    await it.isVerified();
  }
  const warm: number[] = [];
  const warmCpu: number[] = [];
  for (let i = 0; i < WARM_STARTS; i++) {
    await using it = await startDashboardProcess(saga, root, env);
    warm.push(it.firstAnswer);
    warmCpu.push(it.firstAnswerCpu);
    await it.isVerified();
  }
  await using it = await startDashboardProcess(saga, root, env);
  checkCounts(await it.ask('/api/home'), plan);
  await it.isVerified();
  const answers = await measureAnswers(it, project);
  const changes = await measureChanges(it, root, plan.stories);
  return {
    warm,
    warmCpu,
    cold,
    coldCpu,
    answers,
    ...changes,
    memory: it.memory(),
    peak: it.peak(),
  };
}

/** It must have understood the plan before its speed means anything. */
function checkCounts(home: string, plan: Plan): void {
  const { counts } = JSON.parse(home);
  if (counts.stories !== plan.stories.length || counts.ready !== plan.ready) {
    throw new Error(`The dashboard sees ${JSON.stringify(counts)}.`);
  }
}

async function measureAnswers(
  it: DashboardProcess,
  { plan, story, session }: DashboardProject,
): Promise<Map<string, number[]>> {
  const [epic] = plan.epics;
  const paths: Record<string, string> = {
    home: '/api/home',
    stories: '/api/stories?limit=200',
    'stories, searched': '/api/stories?query=record+summary&sort=title',
    'stories, ready': '/api/stories?filter=ready&sort=progress',
    epics: '/api/epics?limit=200',
    epic: `/api/epics/${epic?.id}`,
    'epic, its history': `/api/epics/${epic?.id}/history`,
    'found by a word of many': '/api/find?query=record+summary',
    'story, with branch and 500 sessions': `/api/stories/${story}`,
    sessions: '/api/sessions?limit=200',
    'log of 40 MB, its middle': `/api/sessions/${session}/log?from=20000000`,
    'log of 40 MB, its end': `/api/sessions/${session}/log?from=-1`,
    problems: '/api/problems',
  };
  const answers = new Map<string, number[]>(Object.keys(paths).map((name) => [name, []]));
  for (let i = 0; i < REQUESTS; i++) {
    for (const [name, path] of Object.entries(paths)) {
      const start = performance.now();
      await it.ask(path);
      answers.get(name)?.push(performance.now() - start);
    }
  }
  return answers;
}

const median = (values: readonly number[]) => percentile(values, 0.5);

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
