import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Epic } from '../plan/epic.ts';
import { deriveOverview } from './derive-overview.ts';
import { deriveInbox } from './inbox.ts';
import type { EndFacts } from './life.ts';
import { InboxItem } from './overview.ts';
import { type LocatedStory, NO_TRACES, type StoryFacts, type StoryTraces } from './story-facts.ts';

const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`;
const OPEN = { pending: 1, in_progress: 0, completed: 1 };
const ALL = { pending: 0, in_progress: 0, completed: 2 };

function story(
  id: string,
  facts: Partial<StoryFacts> = {},
  traces: Partial<StoryTraces> = {},
  more: Partial<LocatedStory> = {},
): LocatedStory {
  return {
    facts: { id, title: id, counts: OPEN, ...facts },
    home: `.saga/stories/${id}`,
    running: false,
    traces: { ...NO_TRACES, base: 'main', ...traces },
    ...more,
  };
}
const ended = (outcome: EndFacts['outcome'], at: string, more: Partial<EndFacts> = {}) => ({
  lastEnd: { outcome, reason: 'so', at, ...more },
});
const passed = (at: string) => ({ outcome: 'passed', head: 'abc', at }) as const;
const inboxOf = (stories: LocatedStory[], epics: Epic[] = []) =>
  deriveInbox(deriveOverview({ stories, epics, problems: [] }).stories);

test('everything that waits for a person, the oldest first, each with its command', () => {
  const failed = { outcome: 'failed' as const, head: 'abc', failures: ['npm test failed'] };
  const items = inboxOf([
    story('review', { counts: ALL, evidence: passed(day(7)) }),
    story('asks', { blockers: [{ title: 'Which?', time: day(3) }] }),
    story('gate', { counts: ALL, evidence: { ...failed, at: day(2) } }),
    story('tried', { escalated: [{ id: 'one', subject: 'Do one' }] }, ended('needs-you', day(4))),
    story('fell', {}, ended('error', day(1), { hint: 'Do this.' })),
    story('killed', {}, ended('died', day(5))),
    story('refused', {}, ended('error', day(6), { code: 'credential-refused', hint: 'Log in.' })),
    story('elsewhere', {}, { hasBranch: true }),
    story('done', { counts: ALL, evidence: passed(day(1)) }, { isInBase: true }),
    story('ready', { counts: { pending: 1, in_progress: 0, completed: 0 } }),
    story('busy', { evidence: { ...failed, at: day(1) } }, {}, { running: true }),
  ]);
  expect(
    items.map(({ story, kind, reasons, remedy, next }) => [story, kind, reasons, remedy, next]),
  ).toEqual([
    [
      'fell',
      'error',
      ['error: so · 1/2 tasks'],
      'Do this. Then go on: saga run fell',
      'saga logs fell',
    ],
    ['gate', 'gate', ['gate failed: npm test failed'], null, 'saga verify gate'],
    ['asks', 'blocker', ['open question: Which?'], null, 'saga resolve asks'],
    [
      'tried',
      'escalated',
      ['tried too often: Do one'],
      expect.stringContaining('saga logs tried'),
      'saga task reopen --story tried one',
    ],
    ['killed', 'interrupted', ['its worker was killed: so · 1/2 tasks'], null, 'saga run killed'],
    ['refused', 'credential', ['so'], 'Log in. Then go on: saga run refused', 'saga doctor'],
    ['review', 'review', ['gate passed'], null, 'saga diff review'],
    [
      'elsewhere',
      'interrupted',
      ['started, but no worker is running · 1/2 tasks'],
      null,
      'saga run elsewhere',
    ],
  ]);
  for (const item of items) expect(InboxItem.safeParse(item).success).toBe(true);
});

test('a worker that asks or is silent waits for a person although it runs', () => {
  const items = inboxOf([
    story('asks', { blockers: [{ title: 'Which?', time: day(2) }] }, {}, { running: true }),
    story('silent', {}, {}, { running: true, stalledSince: day(1) }),
  ]);
  expect(items).toMatchObject([
    { story: 'silent', kind: 'stalled', state: 'running', since: day(1) },
    { story: 'asks', kind: 'blocker', state: 'running', since: day(2), next: 'saga resolve asks' },
  ]);
});

test('it says which stories wait for this one', () => {
  const fresh = { counts: { pending: 1, in_progress: 0, completed: 0 } };
  const children = [
    { id: 'a', blockedBy: [] },
    { id: 'b', blockedBy: ['a'] },
    { id: 'c', blockedBy: ['a', 'b'] },
  ];
  const epic = { id: 'shop', title: 'Shop', description: '', children };
  const items = inboxOf(
    [story('a', {}, ended('stopped', day(1))), story('b', fresh), story('c', fresh)],
    [epic],
  );
  expect(items).toMatchObject([{ story: 'a', epic: 'shop', holdsUp: ['b', 'c'] }]);
});

test('whoever needs a person is listed, and whoever is listed has a reason and a command', () => {
  const time = fc.constantFrom(day(1), day(2), undefined);
  const anyStory = fc.record({
    counts: fc.constantFrom(OPEN, ALL, { pending: 0, in_progress: 0, completed: 0 }),
    isAsked: fc.boolean(),
    isBroken: fc.boolean(),
    isEscalated: fc.boolean(),
    gate: fc.constantFrom('passed' as const, 'failed' as const, undefined),
    outcome: fc.constantFrom('died' as const, 'error' as const, 'limit' as const, undefined),
    isRunning: fc.boolean(),
    isInBase: fc.boolean(),
    at: time,
  });
  fc.assert(
    fc.property(fc.array(anyStory, { maxLength: 4 }), (all) => {
      const stories = all.map((it, i) => {
        const at = it.at === undefined ? {} : { at: it.at };
        return story(
          `s${i}`,
          {
            counts: it.counts,
            blockers: it.isAsked ? [{ title: 'Which?' }] : undefined,
            broken: it.isBroken ? (true as const) : undefined,
            escalated: it.isEscalated ? [{ id: 'one', subject: 'Do one' }] : undefined,
            evidence: it.gate
              ? { outcome: it.gate, head: 'abc', failures: ['x'], ...at }
              : undefined,
          },
          {
            isInBase: it.isInBase,
            lastEnd: it.outcome ? { outcome: it.outcome, reason: 'so', ...at } : undefined,
          },
          { running: it.isRunning },
        );
      });
      const { stories: views } = deriveOverview({ stories, epics: [], problems: [] });
      const listed = deriveInbox(views);
      const ids = listed.map((it) => it.story);
      for (const view of views) {
        const waits = ['needs you', 'interrupted', 'in review'].includes(view.state);
        expect(ids.includes(view.id)).toBe(waits || view.needsYou !== null);
        if (view.state === 'needs you') expect(view.needsYou).not.toBeNull();
      }
      for (const { reasons, next } of listed) {
        expect(reasons.filter(Boolean).length).toBeGreaterThan(0);
        expect(next).not.toBe('');
      }
      const times = listed.map((it) => (it.since === null ? Infinity : Date.parse(it.since)));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }),
    { numRuns: 500 },
  );
});
