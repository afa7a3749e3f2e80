import { expect, test } from 'vitest';
import { buildStory, buildTask } from '../../../../../test/rig/project/plan-files.ts';
import { mergePlans } from './merge-plans.ts';

type Files = Record<string, object>;

const text = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
const toTexts = (files: Files) =>
  new Map(Object.entries(files).map(([name, value]) => [name, text(value)]));
const toValues = (texts: ReadonlyMap<string, string>) =>
  Object.fromEntries(Array.from(texts, ([name, it]) => [name, JSON.parse(it)]));

const STORY = buildStory('x');
const ORIGIN: Files = { 'story.json': STORY, 'a.json': buildTask('a'), 'b.json': buildTask('b') };
/** As a worker left it: in a worktree, with one task completed and one tried. */
const LIVE: Files = {
  'story.json': { ...STORY, branch: 'story/x', worktree: '../w', pr: 'https://example.com/1' },
  'a.json': buildTask('a', { status: 'completed' }),
  'b.json': buildTask('b', { attempts: 2, lastOutcome: 'failed' }),
};

const merge = (edited: Files, live: Files = LIVE, winner: 'edited' | 'live' = 'edited') =>
  mergePlans({ origin: toTexts(ORIGIN), live: toTexts(live), edited: toTexts(edited) }, winner);

test('a plan without an edit changes nothing', () => {
  const { merged, changes, disputed } = merge(ORIGIN);
  expect(toValues(merged)).toEqual(LIVE);
  expect([changes, disputed]).toEqual([[], []]);
});

test('what was edited is taken, and what workers wrote stays', () => {
  const { merged, changes } = merge({
    'story.json': { ...STORY, title: 'Better', verify: 'npm test' },
    'a.json': buildTask('a', { description: 'More.' }),
    'c.json': buildTask('c', { status: 'completed', attempts: 1, blockedBy: ['a'] }),
  });
  expect(toValues(merged)).toEqual({
    'story.json': { ...LIVE['story.json'], title: 'Better', verify: 'npm test' },
    'a.json': buildTask('a', { description: 'More.', status: 'completed' }),
    'c.json': buildTask('c', { blockedBy: ['a'] }),
  });
  expect(changes).toEqual([
    { file: 'a.json', kind: 'changed', fields: ['description'] },
    { file: 'b.json', kind: 'removed', fields: [] },
    { file: 'c.json', kind: 'added', fields: [] },
    { file: 'story.json', kind: 'changed', fields: ['title', 'verify'] },
  ]);
});

test('what only the live plan changed stays, and the edited plan is there exactly before that', () => {
  const { 'b.json': _, ...rest } = LIVE;
  const live = {
    ...rest,
    'story.json': { ...LIVE['story.json'], guidance: 'Here.' },
    'own.json': buildTask('own'),
  };
  const edited = { ...ORIGIN, 'story.json': { ...STORY, title: 'Better' } };
  const { taken, merged, disputed } = merge(edited, live);
  expect(Object.keys(toValues(taken)).sort()).toEqual(['a.json', 'b.json', 'story.json']);
  expect(toValues(taken)['story.json']).not.toHaveProperty('guidance');
  expect(Object.keys(toValues(merged)).sort()).toEqual(['a.json', 'own.json', 'story.json']);
  expect(toValues(merged)['story.json']).toMatchObject({ title: 'Better', guidance: 'Here.' });
  expect(disputed).toEqual([]);
});

test.each(['edited', 'live'] as const)('if both changed a field, the %s one wins', (winner) => {
  const live = { ...LIVE, 'a.json': buildTask('a', { status: 'completed', subject: 'live' }) };
  const edited = { ...ORIGIN, 'a.json': buildTask('a', { subject: 'edited', area: 'docs' }) };
  const { merged, disputed } = merge(edited, live, winner);
  expect(toValues(merged)['a.json']).toEqual(
    buildTask('a', { subject: winner, area: 'docs', status: 'completed' }),
  );
  expect(disputed).toEqual(['a.json: subject']);
});

test('fields that SAGA does not know are taken, and removed ones go', () => {
  const live = { ...LIVE, 'story.json': { ...LIVE['story.json'], 'x-old': 1 } };
  const origin = { ...ORIGIN, 'story.json': { ...STORY, 'x-old': 1 } };
  const edited = { ...ORIGIN, 'story.json': { ...STORY, 'x-new': { b: 1, a: 2 } } };
  const { merged } = mergePlans({
    origin: toTexts(origin),
    live: toTexts(live),
    edited: toTexts(edited),
  });
  expect(toValues(merged)['story.json']).toEqual({
    ...LIVE['story.json'],
    'x-new': { b: 1, a: 2 },
  });
});
