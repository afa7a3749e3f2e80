import { readFileSync } from 'node:fs';
import { findCriticalPath } from '@saga-ai/types/plan/graph';
import type { RunEvent } from '@saga-ai/types/run/event';
import { parseSession } from '@saga-ai/types/words/names';
import { requireEvent } from '../../rig/worker/require-event.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

/** Twenty stories in six levels. Each takes one to three seconds of the model's time. */
const LEVELS = [2, 4, 5, 4, 3, 2];

interface Span {
  from: number;
  to: number;
}

/** Story to what it waits for. */
export type Children = Record<string, string[]>;

/** A workshop with the epic `big`, pushed. */
export async function createDag(): Promise<{ it: Workshop & AsyncDisposable; children: Children }> {
  const levels = LEVELS.map((size, level) =>
    Array.from({ length: size }, (_, i) => `s${level}-${i}`),
  );
  const children: Children = {};
  for (const [level, ids] of levels.entries()) {
    const before = levels[level - 1] ?? [];
    for (const [i, id] of ids.entries()) {
      children[id] = [
        ...new Set([before[i % before.length], before[(i + 1) % before.length]]),
      ].flatMap((it) => it ?? []);
    }
  }
  const rehearsals = Object.fromEntries(
    Object.keys(children).map((id, i) => [
      id,
      { run: [`sleep ${1 + (i % 3)}`], write: { [`${id}.txt`]: id }, commit: id },
    ]),
  );
  const it = await createWorkshop({ rehearsals });
  for (const id of Object.keys(children)) it.story(id, { epic: 'big' }, { [id]: {} });
  it.epic('big', children);
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  it.git('push', '-q', 'origin', 'main');
  return { it, children };
}

/** How long the scheduler's run took, and how long the longest chain of its stories, each with its merge. */
export function measureDag(outputFile: string, children: Children) {
  const events = readFileSync(outputFile, 'utf8').trimEnd().split('\n').map(requireEvent);
  const spans = readSpans(events);
  const nodes = Object.entries(children).map(([id, blockedBy]) => ({ id, blockedBy }));
  const length = (id: string) => {
    const span = spans.get(id);
    return span ? span.to - span.from : 0;
  };
  const path = findCriticalPath(nodes, ({ id }) => length(id));
  const critical = path.reduce((sum, id) => sum + length(id), 0);
  const times = events.map(({ time }) => Date.parse(time));
  const makespan = Math.max(...times) - Math.min(...times);
  return { makespan, critical, ratio: makespan / critical };
}

/** From the start of a story's worker to the end of its merge. */
function readSpans(events: readonly RunEvent[]): Map<string, Span> {
  const spans = new Map<string, Span>();
  for (const event of events) {
    const at = Date.parse(event.time);
    // The session's name says when it was started; the event comes once its worker is under way.
    const from = event.type === 'epic:started' ? parseSession(event.session)?.timestamp : undefined;
    if (event.type === 'epic:started') spans.set(event.story, { from: from ?? at, to: at });
    const span = event.type === 'epic:merged' ? spans.get(event.story) : undefined;
    if (span) span.to = at;
  }
  return spans;
}
