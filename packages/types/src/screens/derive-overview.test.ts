import { expect, test } from 'vitest';
import type { Epic } from '../plan/epic.ts';
import { deriveEpicView, deriveOverview, deriveStoryView } from './derive-overview.ts';
import { deriveEpicCalls } from './epic-run/epic-calls.ts';
import { EpicTree } from './epic-tree.ts';
import { deriveInbox } from './inbox.ts';
import { Overview, type StoryView } from './overview.ts';
import { type LocatedStory, NO_TRACES, type StoryFacts, type StoryTraces } from './story-facts.ts';

const story = (
  id: string,
  [pending, in_progress, completed]: [number, number, number],
  more: Partial<StoryFacts> & { running?: boolean } = {},
): LocatedStory => {
  const { running = false, ...facts } = more;
  return {
    facts: { id, title: id, counts: { pending, in_progress, completed }, ...facts },
    home: `.saga/stories/${id}`,
    running,
  };
};
const AT = '2026-01-01T00:00:00.000Z';
const PASSED = { outcome: 'passed', head: 'abc' } as const;
/** Its gate passed; it may be in the base. */
const passed = (id: string, isInBase: boolean, more: Partial<StoryFacts> = {}): LocatedStory => ({
  ...story(id, [0, 0, 2], { evidence: PASSED, ...more }),
  traces: { ...NO_TRACES, isInBase, hasBranch: true, base: 'main' },
});
const escalated = [{ id: 'stuck', subject: 'Stuck' }];
const epic = (id: string, children: Record<string, string[]>): Epic => ({
  id,
  title: id,
  description: '',
  children: Object.entries(children).map(([child, blockedBy]) => ({ id: child, blockedBy })),
});

test('a screen receives a story as the specification spells it', () => {
  const overview = deriveOverview({
    stories: [
      story('api', [2, 1, 1], { epic: 'shop', working: 'Writing', branch: 'story/api', pr: 'url' }),
    ],
    epics: [epic('shop', { api: [] })],
    problems: [],
  });
  expect(overview.stories).toEqual([
    {
      id: 'api',
      title: 'api',
      epic: 'shop',
      status: 'in_progress',
      state: 'interrupted',
      reason: 'started, but no worker is running · 1/4 tasks',
      next: 'saga run api',
      remedy: null,
      since: null,
      ended: null,
      unverified: false,
      ready: false,
      blockedBy: [],
      hindrances: [],
      running: false,
      session: null,
      needsYou: null,
      progress: { completed: 1, total: 4 },
      working: 'Writing',
      home: '.saga/stories/api',
      branch: 'story/api',
      pr: 'url',
      labels: [],
      behind: null,
    },
  ]);
  expect(Overview.safeParse(overview).success).toBe(true);
});

test('a story waits for its unmet siblings and for those of every epic around it', () => {
  const { stories, epics } = deriveOverview({
    stories: [
      passed('base', true),
      story('model', [1, 0, 0]),
      story('api', [1, 0, 0]),
      story('docs', [1, 0, 0]),
    ],
    epics: [
      epic('all', { base: [], shop: ['base'], manual: ['shop'] }),
      epic('shop', { model: [], api: ['model'] }),
      epic('manual', { docs: [] }),
    ],
    problems: [],
  });
  expect(stories.map(({ id, ready, blockedBy }) => ({ id, ready, blockedBy }))).toEqual([
    { id: 'base', ready: false, blockedBy: [] },
    { id: 'model', ready: true, blockedBy: [] },
    { id: 'api', ready: false, blockedBy: ['model'] },
    { id: 'docs', ready: false, blockedBy: ['shop'] },
  ]);
  expect(
    epics.map(({ id, epic: parent, blockedBy, progress }) => [id, parent, blockedBy, progress]),
  ).toEqual([
    ['all', null, [], { completed: 1, total: 4 }],
    ['shop', 'all', [], { completed: 0, total: 2 }],
    ['manual', 'all', ['shop'], { completed: 0, total: 1 }],
  ]);
});

test.each<[string, Partial<StoryFacts> & { running?: boolean }, [number, number, number]]>([
  ['a worker has it', { running: true }, [1, 0, 0]],
  ['a blocker is open', { blockers: [{ title: 'Key?' }] }, [1, 0, 0]],
  ['a file is broken', { broken: true }, [1, 0, 0]],
  ['it has no tasks', {}, [0, 0, 0]],
  ['it is completed', {}, [0, 0, 1]],
])('a story is not ready when %s', (_, more, counts) => {
  const { stories } = deriveOverview({
    stories: [story('x', counts, more)],
    epics: [],
    problems: [],
  });
  expect(stories[0]?.ready).toBe(false);
});

test.each<[string, LocatedStory, StoryView['hindrances']]>([
  ['nothing', story('x', [1, 0, 0]), []],
  ['a worker', story('x', [1, 0, 0], { running: true }), ['running']],
  ['a broken file', story('x', [1, 0, 0], { broken: true }), ['unreadable']],
  ['an open question', story('x', [1, 0, 0], { blockers: [{ title: 'Key?' }] }), ['blocker']],
  ['a task that was tried too often beside a free one', story('x', [2, 0, 0], { escalated }), []],
  [
    'a task that holds up all the rest',
    story('x', [2, 0, 0], { escalated, heldUp: true }),
    ['held-up'],
  ],
  [
    'two copies of a plan',
    { ...story('x', [1, 0, 0]), traces: { ...NO_TRACES, hasTwoCopies: true } },
    ['copies'],
  ],
  ['no tasks', story('x', [0, 0, 0]), ['nothing-to-do']],
  ['a passed gate', passed('x', false), ['nothing-to-do']],
  ['a merge', passed('x', true, { blockers: [{ title: 'Key?' }] }), ['nothing-to-do']],
  ['a failed gate', story('x', [0, 0, 1], { evidence: { outcome: 'failed', head: 'abc' } }), []],
])('what %s puts in the way of a run', (_, located, expected) => {
  const { stories } = deriveOverview({ stories: [located], epics: [], problems: [] });
  expect(stories[0]?.hindrances).toEqual(expected);
});

test('what a story depends on is in the way of its run', () => {
  const { stories } = deriveOverview({
    stories: [story('model', [1, 0, 0]), story('api', [1, 0, 0])],
    epics: [epic('shop', { model: [], api: ['model'] })],
    problems: [],
  });
  expect(stories.map(({ hindrances }) => hindrances)).toEqual([[], ['waits']]);
});

test('an open blocker says since when it needs you', () => {
  const blockers = [{ title: 'Key?', time: '2026-01-01T00:00:00Z' }];
  const { stories } = deriveOverview({
    stories: [story('x', [1, 0, 0], { blockers })],
    epics: [],
    problems: [],
  });
  expect(stories[0]?.needsYou).toEqual([
    { kind: 'blocker', title: 'Key?', since: '2026-01-01T00:00:00Z' },
  ]);
});

test('an escalated task and a gate that did not pass need you too', () => {
  const { stories } = deriveOverview({
    stories: [
      story('api', [1, 0, 1], {
        escalated: [{ id: 'write', subject: 'Write it' }],
        evidence: { outcome: 'failed', head: 'abc', failures: ['npm test failed'] },
      }),
    ],
    epics: [],
    problems: [],
  });
  expect(stories[0]).toMatchObject({
    ready: false,
    needsYou: [
      { kind: 'escalated', title: 'Write it' },
      { kind: 'gate', title: 'npm test failed' },
    ],
  });
});

test('epics that contain each other end, and are never completed', () => {
  const { epics } = deriveOverview({
    stories: [],
    epics: [epic('a', { b: [] }), epic('b', { a: [] })],
    problems: [],
  });
  expect(epics.map(({ status, progress }) => [status, progress])).toEqual([
    ['pending', { completed: 0, total: 0 }],
    ['pending', { completed: 0, total: 0 }],
  ]);
});

test('a change of status concerns the outermost epic around it, and a tree that is kept knows it', () => {
  const model = story('model', [1, 0, 0]);
  const api = story('api', [1, 0, 0]);
  const docs = story('docs', [1, 0, 0]);
  const loose = story('loose', [1, 0, 0]);
  const all = epic('all', { shop: [], manual: ['shop'] });
  const epics = [all, epic('shop', { model: [], api: ['model'] }), epic('manual', { docs: [] })];
  const tree = new EpicTree({ stories: [model, api, docs, loose], epics });
  expect([...tree.findAffected('api')].sort()).toEqual([
    'all',
    'api',
    'docs',
    'manual',
    'model',
    'shop',
  ]);
  expect([...tree.findAffected('loose')]).toEqual(['loose']);
  expect(deriveStoryView(api, tree).blockedBy).toEqual(['model']);
  expect(tree.setStory(model)).toBe(false);
  expect(tree.setStory(passed('model', false))).toBe(true);
  expect(deriveStoryView(api, tree).blockedBy).toEqual(['model']);
  expect(deriveEpicView(all, tree)).toMatchObject({
    progress: { completed: 0, total: 3 },
    inReview: 1,
  });
  expect(tree.setStory(passed('model', true))).toBe(true);
  expect(deriveStoryView(api, tree).blockedBy).toEqual([]);
  expect(deriveEpicView(all, tree).progress).toEqual({ completed: 1, total: 3 });
  tree.setStory(passed('api', true));
  expect(deriveStoryView(docs, tree).blockedBy).toEqual([]);
});

test.each<[string, LocatedStory, string, boolean]>([
  ['is completed by hand', story('model', [0, 0, 1]), 'interrupted', false],
  [
    'did not pass its gate',
    story('model', [0, 0, 1], { evidence: { outcome: 'failed', head: 'a', failures: ['no'] } }),
    'needs you',
    false,
  ],
  ['is in review', passed('model', false, { pr: 'https://x.y/pull/12' }), 'in review, #12', false],
  ['is in the base', passed('model', true), '', true],
])('a story that waits for one that %s', (_, model, how, isReady) => {
  const epics = [epic('shop', { model: [], api: ['model'] })];
  const overview = deriveOverview({
    stories: [model, story('api', [1, 0, 0])],
    epics,
    problems: [],
  });
  expect(overview.stories[1]).toMatchObject(
    isReady
      ? { ready: true, state: 'ready', blockedBy: [] }
      : { ready: false, state: 'waiting', reason: `waits for model: ${how}`, blockedBy: ['model'] },
  );
  expect(overview.epics[0]?.progress).toEqual({ completed: isReady ? 1 : 0, total: 2 });
});

test.each<[string, LocatedStory[], string]>([
  ['all are done', [passed('a', true), passed('b', true)], 'done'],
  ['one runs', [passed('a', true), story('b', [1, 0, 0], { running: true })], 'running'],
  [
    'one needs a person',
    [story('a', [1, 0, 0], { broken: true }), story('b', [1, 0, 0])],
    'needs you',
  ],
  ['one was left', [story('a', [1, 1, 0]), story('b', [1, 0, 0])], 'interrupted'],
  ['one can start', [passed('a', false), story('b', [1, 0, 0])], 'ready'],
  ['the rest is in review', [passed('a', true), passed('b', false)], 'in review'],
])('an epic of which %s', (_, stories, state) => {
  const { epics } = deriveOverview({ stories, epics: [epic('e', { a: [], b: [] })], problems: [] });
  expect(epics[0]?.state).toBe(state);
});

const inShop = (id: string, more: Partial<StoryTraces> = {}): LocatedStory => ({
  ...passed(id, false),
  traces: { ...NO_TRACES, hasBranch: true, base: 'epic/shop', ...more },
});
const MERGED = { mergedInto: ['shop'] };
const broken = story('a', [1, 0, 0], { broken: true });
const b = story('b', [1, 0, 0]);

test.each<[string, LocatedStory[], string, string]>([
  ['a story waits for one in review', [inShop('a'), b], 'waiting', 'running'],
  ['a story waits for one that failed', [broken, b], 'needs you', 'running'],
  ['a story can start after a merge', [inShop('a', MERGED), b], 'ready', 'running'],
  ['all passed, and a person merges', [inShop('a'), inShop('b')], 'in review', 'running'],
  ['all are merged', [inShop('a', MERGED), inShop('b', MERGED)], 'in review', 'running'],
  ['all are landed', [passed('a', true), passed('b', true)], 'done', 'done'],
])(
  'an epic of which %s is in review only if nothing of it waits and nobody is at work',
  (_, stories, alone, worked) => {
    const epics = [epic('shop', { a: [], b: ['a'] }), epic('all', { shop: [] })];
    const statesOf = (running: string[]) =>
      deriveOverview({ stories, epics, problems: [], running: new Set(running) }).epics.map(
        (it) => it.state,
      );
    expect(statesOf([])).toEqual([alone, alone]);
    expect(statesOf(['shop'])).toEqual([worked, worked]);
    // An epic inside is as its stories are, while the scheduler of the epic around it is at work.
    expect(statesOf(['all'])).toEqual([alone, worked]);
  },
);

test('what the scheduler of an epic cannot merge needs a person, as long as it is as it was', () => {
  const trouble = {
    ...{ item: 'a', reason: 'no evidence', next: 'saga gate a', since: AT, tips: [] },
    state: 'in review',
  };
  const epics = [epic('shop', { a: [] }), epic('all', { shop: [] })];
  const look = (a: LocatedStory, troubled?: string) => {
    const troubleOf = (id: string) => (id === troubled ? trouble : undefined);
    const overview = deriveOverview({ stories: [a], epics, problems: [], troubleOf });
    const states = overview.epics.map((it) => it.state);
    const calls = deriveEpicCalls(overview.epics, () => undefined);
    return { view: overview.stories[0], states, inbox: deriveInbox([], calls) };
  };
  const stuck = look(inShop('a', { trouble }));
  expect(stuck.view).toMatchObject({
    ...{ state: 'needs you', reason: 'no evidence', next: 'saga gate a', since: AT },
    needsYou: [{ kind: 'epic', title: 'no evidence', since: AT }],
  });
  expect(stuck.states).toEqual(['needs you', 'needs you']);
  expect(look(inShop('a', { trouble, ...MERGED })).view).toMatchObject({
    ...{ state: 'done', needsYou: null },
  });
  expect(look(inShop('a', { trouble, isUnchanged: false })).view?.state).toBe('interrupted');
  const inner = look(inShop('a', MERGED), 'shop');
  expect(inner.states).toEqual(['needs you', 'needs you']);
  expect(inner.inbox).toMatchObject([
    { item: 'epic', story: 'shop', kind: 'epic', reasons: ['no evidence'], next: 'saga gate a' },
  ]);
});

test('a gate that ran no command is said', () => {
  const stories = [passed('a', true, { evidence: { ...PASSED, unverified: true } })];
  const [view] = deriveOverview({ stories, epics: [], problems: [] }).stories;
  expect(view).toMatchObject({
    unverified: true,
    reason: 'gate passed (unverified), merged into main',
  });
});

test('what is affected ends where epics contain each other', () => {
  const epics = [epic('one', { two: [], api: [] }), epic('two', { one: [] })];
  const tree = new EpicTree({ stories: [story('api', [1, 0, 0])], epics });
  expect([...tree.findAffected('api')].sort()).toEqual(['api', 'one', 'two']);
});

test('a worker that is silent needs a person first of all, and is still running', () => {
  const silent: LocatedStory = {
    ...story('api', [1, 1, 0], { running: true, blockers: [{ title: 'Which?' }] }),
    stalledSince: '2026-11-15T12:00:00.000Z',
  };
  const { stories } = deriveOverview({ stories: [silent], epics: [], problems: [] });
  expect(stories).toMatchObject([
    {
      running: true,
      ready: false,
      reason: 'silent since 2026-11-15 12:00 UTC · 0/2 tasks',
      needsYou: [
        { kind: 'stalled', since: '2026-11-15T12:00:00.000Z' },
        { kind: 'blocker', title: 'Which?' },
      ],
    },
  ]);
  expect(Overview.shape.stories.safeParse(stories).success).toBe(true);
});
