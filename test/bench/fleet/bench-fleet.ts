import { readdirSync, readFileSync } from 'node:fs';
import type { Engine, Job } from '@saga-ai/core/fleet/engine';
import { initEngine, openEngine } from '@saga-ai/engine/open-engine';
import { startPostgres } from '../../rig/postgres/start-postgres.ts';
import { formatTable } from '../measure/table.ts';
import { formatTime } from '../measure/tables.ts';
import type { Target } from '../measure/targets.ts';
import { startNullAgent } from './null-agent.ts';

const AGENTS = 50;
const SLOTS = 10;
const SINGLE = 60;
const STORIES = 10_000;
const TAKEN_MS = 300;
const STORIES_A_SECOND = 100;
const SEEN_MS = 500;
const REPOSITORY = { key: 'bench', url: 'https://git.example/bench' };

/**
 * The engine alone, with a real PostgreSQL that syncs its writes, and workers that do nothing: 50 machines
 * with ten slots each.
 */
export async function benchFleet(): Promise<{ table: string; targets: Target[] }> {
  await using postgres = await startPostgres({ isSynced: true });
  await initEngine(postgres.url);
  const open = (name: string, role: 'agent' | 'reader') =>
    openEngine({ url: postgres.url, name, role });
  const desk = await open('desk', 'reader');
  const reader = await open('reader', 'reader');
  const engines: Engine[] = [];
  const taken = new Map<string, number>();
  let done = 0;
  let onDone = () => {};
  const agents = [];
  for (let i = 0; i < AGENTS; i++) {
    const engine = await open(`m${i}`, 'agent');
    engines.push(engine);
    agents.push(
      await startNullAgent(engine, {
        name: `m${i}`,
        repository: REPOSITORY,
        slots: SLOTS,
        onTaken: (id) => taken.set(id, performance.now()),
        onDone() {
          done += 1;
          onDone();
        },
      }),
    );
  }
  const waitForDone = (count: number) =>
    new Promise<void>((resolve) => {
      onDone = () => {
        if (done >= count) resolve();
      };
      onDone();
    });

  const waits: number[] = [];
  for (let i = 0; i < SINGLE; i++) {
    const offered = performance.now();
    await desk.jobs.offer(jobOf(`single-${i}`));
    await waitForDone(i + 1);
    waits.push((taken.get(`single-${i}`) ?? Number.NaN) - offered);
  }

  const seen = await measureNews(desk, reader);

  const before = { at: performance.now(), cpu: cpuOfPostgres(), bytes: await postgres.size() };
  const ids = Array.from({ length: STORIES }, (_, i) => `story-${i}`);
  await desk.jobs.offerAll(ids.map(jobOf));
  const offeredMs = performance.now() - before.at;
  await waitForDone(SINGLE + STORIES);
  const seconds = (performance.now() - before.at) / 1000;
  const databaseSeconds = cpuOfPostgres() - before.cpu;
  const grown = (await postgres.size()) - before.bytes;
  const doubled = done - SINGLE - STORIES;

  for (const agent of agents) await agent[Symbol.asyncDispose]();
  await Promise.all([desk, reader, ...engines].map((engine) => engine.close()));
  const rate = STORIES / seconds;
  const median = medianOf(waits);
  return {
    table: formatTable([
      [`a fleet of ${AGENTS} machines, ${AGENTS * SLOTS} slots, workers that do nothing`, 'figure'],
      ['ready to taken, one job at a time, median', formatTime(median)],
      ['ready to taken, slowest', formatTime(Math.max(...waits))],
      ['an event told on one machine, read on another, median', formatTime(medianOf(seen))],
      [`handing over ${STORIES} stories`, formatTime(offeredMs)],
      ['stories a second', rate.toFixed(0)],
      [
        'processor time of the database for each story',
        formatTime((databaseSeconds * 1000) / STORIES),
      ],
      ['growth of the database for 1,000 stories', `${(grown / STORIES / 1000).toFixed(2)} MB`],
      ['stories done twice', String(doubled)],
    ]),
    targets: [
      {
        about: `fleet: ready to taken with ${AGENTS} machines, median`,
        found: formatTime(median),
        limit: formatTime(TAKEN_MS),
        met: median <= TAKEN_MS,
      },
      {
        about: `fleet: ${STORIES} stories, a second`,
        found: rate.toFixed(0),
        limit: String(STORIES_A_SECOND),
        met: rate >= STORIES_A_SECOND,
      },
      {
        about: 'fleet: an event seen on another machine, median',
        found: formatTime(medianOf(seen)),
        limit: formatTime(SEEN_MS),
        met: medianOf(seen) <= SEEN_MS,
      },
      {
        about: 'fleet: stories done twice',
        found: String(doubled),
        limit: '0',
        met: doubled === 0,
      },
    ],
  };
}

function jobOf(id: string): Job {
  return {
    repository: REPOSITORY,
    kind: 'story',
    id,
    needs: [],
    flags: {},
    anyway: false,
    by: 'desk',
  };
}

/** From telling an event on one connection to having read it on another. */
async function measureNews(teller: Engine, reader: Engine): Promise<number[]> {
  const times: number[] = [];
  let after = (await reader.news.read(REPOSITORY.key, 0, 100_000)).at(-1)?.position ?? 0;
  let wake = () => {};
  await using _listening = await reader.news.listen(REPOSITORY.key, () => wake());
  for (let i = 0; i < SINGLE; i++) {
    const at = performance.now();
    const read = new Promise<void>((resolve) => {
      wake = async () => {
        for (const { position, story } of await reader.news.read(REPOSITORY.key, after, 100)) {
          after = position;
          if (story === `seen-${i}`) resolve();
        }
      };
    });
    const news = { session: 's', story: `seen-${i}`, machine: 'm', from: i, lines: ['{}'] };
    await teller.news.tell(REPOSITORY.key, news);
    await read;
    times.push(performance.now() - at);
  }
  return times;
}

/** Seconds of processor time that all living processes of PostgreSQL, and those that ended, have used. */
function cpuOfPostgres(): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      if (name !== 'postgres') continue;
      const fields = (rest ?? '').split(' ');
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It ended meanwhile.
    }
  }
  return ticks / 100;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

if (import.meta.main) {
  const { table, targets } = await benchFleet();
  process.stdout.write(`${table}\n\n`);
  for (const { about, found, limit, met } of targets) {
    process.stdout.write(`${met ? '✓' : '✗'} ${about}: ${found} (limit ${limit})\n`);
  }
}
