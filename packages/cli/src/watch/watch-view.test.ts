import { expect, test } from 'vitest';
import { createPaint } from '../output/style.ts';
import { measure } from '../output/text.ts';
import type { WatchRow } from './watch-rows.ts';
import { formatLog, formatWatch, type Screen } from './watch-view.ts';

const NOW = new Date(2026, 10, 15, 14, 5, 9).getTime();
const paint = createPaint(false);
const row = (id: string, more: Partial<WatchRow> = {}): WatchRow => ({
  ...{ id, title: `Story ${id}`, kind: 'story', glyph: '●', tone: 'running', progress: '2/6' },
  ...{ isRunning: true, doing: 'Writing tests', tool: 'Edit src/api.ts' },
  startedAt: new Date(NOW - 192_000).toISOString(),
  signAt: NOW - 4000,
  ...{ cycle: 2, tokens: 84_000, cost: { costUsd: 0.61, isCostEstimated: true } },
  ...more,
});
const ASKS = row('pay', {
  ...{ glyph: '!', tone: 'needs-you', isRunning: false, doing: 'Which sandbox?', tool: '' },
  ...{ blocker: 'Which sandbox?', cycle: 0, tokens: 0, cost: { costUsd: 0 } },
});
const screen = (rows: WatchRow[], more: Partial<Screen> = {}): Screen => ({
  ...{ project: 'shop', rows, selected: 0, message: '', now: NOW },
  ...more,
});

test('80 columns and 24 lines', () => {
  const { startedAt: _, signAt: __, ...asks } = ASKS;
  const lines = formatWatch(screen([row('api'), asks]), { columns: 80, rows: 24, paint });
  expect(lines).toHaveLength(24);
  expect(lines.slice(0, 4)).toEqual([
    'shop · 1 running · 1 needs you · cost ~$0.61                            14:05:09',
    '    story  tasks  at work on                       sign   time    cost',
    '▸ ● api      2/6  Writing tests · Edit src/api.ts   4 s  3m12s  ~$0.61',
    '  ! pay      2/6  Which sandbox?',
  ]);
  expect(lines.slice(-4)).toEqual([
    'api  Story api',
    '  Writing tests · Edit src/api.ts',
    '  run 2 · 84k tokens · ~$0.61 · for 3m12s · last sign 4 s ago',
    '↑ ↓ choose  enter log  t tell  s stop  q quit',
  ]);
});

test.each([
  [40, 10],
  [80, 24],
  [120, 30],
  [200, 50],
])('%i columns and %i lines hold thirty stories, the selected one in sight', (columns, rows) => {
  const many = Array.from({ length: 30 }, (_, i) =>
    row(`a-story-with-a-long-name-${i}`, { doing: 'Very long words '.repeat(20) }),
  );
  for (const selected of [0, 15, 29]) {
    const lines = formatWatch(screen(many, { selected }), { columns, rows, paint });
    expect(lines).toHaveLength(rows);
    expect(lines.filter((it) => it.startsWith('▸'))).toHaveLength(1);
    expect(Math.max(...lines.map(measure))).toBeLessThanOrEqual(columns);
  }
});

test('the foot asks, answers or names the keys that work', () => {
  const foot = (more: Partial<Screen>, rows = [row('api')]) =>
    formatWatch(screen(rows, more), { columns: 60, rows: 12, paint }).at(-1);
  expect(foot({}, [ASKS])).toBe('↑ ↓ choose  enter log  a answer  q quit');
  expect(foot({}, [])).toBe('↑ ↓ choose  enter log  q quit');
  expect(foot({ message: 'api stopped\u001b[2J' })).toBe('api stopped[2J');
  expect(foot({ question: { kind: 'stop', id: 'api' } })).toMatch(/^Stop api\?.* y \/ n$/);
  const long = { kind: 'tell' as const, id: 'api', about: '', text: `${'x'.repeat(80)} end` };
  expect(foot({ question: long })).toMatch(/^Tell api: x+ end█$/);
  expect(measure(foot({ question: long }) ?? '')).toBeLessThanOrEqual(60);
});

test('a log shows its end, or what is further up', () => {
  const lines = Array.from({ length: 50 }, (_, i) => `line ${i}`);
  const show = (back: number) =>
    formatLog(screen([row('api')]), row('api'), lines, back, { columns: 40, rows: 10, paint });
  expect(show(0).slice(2, 9)).toEqual(lines.slice(-7));
  expect(show(10).slice(2, 9)).toEqual(lines.slice(33, 40));
  expect(show(10)[0]).toContain('10 lines below');
  expect(show(1000).slice(2, 9)).toEqual(lines.slice(0, 7));
  expect(show(0)).toHaveLength(10);
});
