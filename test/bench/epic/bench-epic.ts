import { readFileSync } from 'node:fs';
import { findCriticalPath } from '@saga-ai/types/plan/graph';
import type { RunEvent } from '@saga-ai/types/run/event';
import { parseSession } from '@saga-ai/types/words/names';
import { requireEvent } from '../../rig/worker/require-event.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';
import { formatTable } from '../table.ts';
import { formatRatio, formatTime } from '../tables.ts';
import type { Target } from '../targets.ts';

/** Twenty stories in six levels. Each takes one to three seconds of the model's time. */
const LEVELS = [2, 4, 5, 4, 3, 2];
const AT_MOST = 1.05;

interface Span {
  from: number;
  to: number;
}

/** How much longer an epic takes than the longest chain of its stories, each with its merge. */
export async function benchEpic(): Promise<{ table: string; targets: Target[] }> {
  const levels = LEVELS.map((size, level) =>
    Array.from({ length: size }, (_, i) => `s${level}-${i}`),
  );
  const children: Record<string, string[]> = {};
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
  await using it = await createWorkshop({ rehearsals });
  using tmux = createTmuxServer();
  for (const id of Object.keys(children)) it.story(id, { epic: 'big' }, { [id]: {} });
  it.epic('big', children);
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  it.git('push', '-q', 'origin', 'main');
  const args = ['run', 'big', '--foreground', '--jobs', '20', '--no-wait'];
  const { code, stderr } = await it.saga(args, { env: tmux.environment, timeout: 1_200_000 });
  if (code !== 0) throw new Error(`The epic ended with ${code}: ${stderr}`);
  const file = it.outputFiles().find((name) => name.includes('saga-epic-big')) ?? '';
  const events = readFileSync(file, 'utf8').trimEnd().split('\n').map(requireEvent);
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
  const ratio = makespan / critical;
  return {
    table: formatTable([
      ['an epic of 20 stories in 6 levels', 'time'],
      ['from start to end', formatTime(makespan)],
      ['the longest chain of stories, each with its merge', formatTime(critical)],
    ]),
    targets: [
      {
        about: 'an epic beside its longest chain',
        found: formatRatio(ratio),
        met: ratio <= AT_MOST,
        limit: formatRatio(AT_MOST),
      } as Target,
    ],
  };
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
