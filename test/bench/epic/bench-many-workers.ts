import { readdirSync, readFileSync } from 'node:fs';
import { createEpics, look, pick, readEvents } from '../../rig/worker/epics.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { pause } from '../dashboard/process.ts';
import { formatTable } from '../measure/table.ts';
import { formatMemory, formatTime } from '../measure/tables.ts';
import type { Target } from '../measure/targets.ts';

const WORKERS = 30;
const SAMPLE_MS = 500;
/** Megabytes. What a worker may take beside its client. */
const AT_MOST = 60;

/** Thirty workers at once, each with a real client: do all come through, and what does a worker take. */
export async function benchManyWorkers(): Promise<{ table: string; targets: Target[] }> {
  const ids = Array.from({ length: WORKERS }, (_, i) => `story-${i}`);
  await using it = await createEpics({
    epics: { shop: Object.fromEntries(ids.map((id) => [id, []])) },
  });
  using tmux = createTmuxServer();
  const seen = new Map<number, number>();
  let most = 0;
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      const workers = findWorkers(it.environment.SAGA_SESSION_DIR ?? '');
      most = Math.max(most, workers.length);
      for (const pid of workers) seen.set(pid, Math.max(seen.get(pid) ?? 0, readMemory(pid)));
      await pause(SAMPLE_MS);
    }
  })();
  const start = performance.now();
  const args = ['run', 'shop', '--foreground', '--no-wait', '--jobs', String(WORKERS)];
  const { code, stderr } = await it.saga(args, { env: tmux.environment, timeout: 1_800_000 });
  const took = performance.now() - start;
  isOver = true;
  await sampling;
  const { states } = await look(it);
  const done = Object.values(states).filter((state) => state === 'done').length;
  if (code !== 0) process.stderr.write(`bench: the epic ended with ${code}: ${stderr}\n`);
  const memory = [...seen.values()].toSorted((a, b) => a - b);
  const median = memory[Math.floor(memory.length / 2)] ?? Number.NaN;
  return {
    table: formatTable([
      [`${WORKERS} workers at once`, ''],
      ['from start to end', formatTime(took)],
      ['at the same time, at most', String(most)],
      ['merged', String(done)],
      ['starts', String(pick(readEvents(it), 'epic:started').length)],
      ['memory of a worker at its peak, median', formatMemory(median)],
      ['  largest', formatMemory(memory.at(-1) ?? Number.NaN)],
    ]),
    targets: [
      {
        about: `workers: of ${WORKERS} at once, merged`,
        found: String(done),
        limit: `${WORKERS}, and no fewer`,
        met: done === WORKERS,
      },
      {
        about: 'workers: memory of one beside its client, median',
        found: formatMemory(median),
        limit: formatMemory(AT_MOST),
        met: median <= AT_MOST,
      },
    ],
  };
}

/** The workers of stories whose sessions lie in this folder. The command is in one argument of its own. */
function findWorkers(sessions: string): number[] {
  const found = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const words = read(`/proc/${name}/cmdline`).split('\0');
    const isNode = /\/node$|^node$/.test(words[0] ?? '');
    const isOurs = words.some((word) => word.startsWith(`${sessions}/saga-story-`));
    return isNode && isOurs && words.includes('worker') ? [Number(name)] : [];
  });
  // A program that a worker starts looks like the worker for a moment.
  return found.filter((pid) => !found.includes(readParent(pid)));
}

const readParent = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);

/** Megabytes that the process has, of memory that it shares with others only its part. */
const readMemory = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;

/** Empty if the process has just ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
