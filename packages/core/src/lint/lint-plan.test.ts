import type { AdviceRule } from '@saga-ai/types/plan/advice';
import { ADVICE_RULES } from '@saga-ai/types/plan/advice';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';
import { expect, test } from 'vitest';
import { isVague } from './judge-story.ts';
import { lintPlan, lintSome } from './lint-plan.ts';
import type { LintedPlan, LintedStory } from './linted-plan.ts';

const task = (id: string, more: Partial<Task> = {}): Task => ({
  ...{ id, subject: `Write src/${id}.ts`, description: '', status: 'pending', blockedBy: [] },
  ...more,
});
const story = (id: string, more: Partial<Story> = {}, tasks = [task('one')]): LintedStory => ({
  story: { id, title: id, description: '', doneWhen: 'npm test passes', ...more },
  tasks,
});
type Children = Record<string, string[]>;
const plan = (
  stories: LintedStory[],
  children: Children = {},
  more: Partial<LintedPlan> = {},
): LintedPlan => ({
  ...{ stories, verify: 'npm test' },
  epics:
    Object.keys(children).length === 0
      ? []
      : [
          {
            ...{ id: 'shop', title: 'Shop', description: '' },
            children: Object.entries(children).map(([id, blockedBy]) => ({ id, blockedBy })),
          },
        ],
  ...more,
});
const all = (ids: string, more: Partial<Story> = {}) => ids.split(' ').map((id) => story(id, more));

/** Each rule with a plan that it speaks about, and one that it leaves alone. */
const CASES: [rule: AdviceRule, says: string, bad: LintedPlan, good: LintedPlan][] = [
  [
    'no-done-when',
    'a does not say when it is done.',
    plan([story('a', { doneWhen: ' ' })]),
    plan([story('a', { doneWhen: '' }, [task('one', { doneWhen: 'it prints ok' })])]),
  ],
  [
    'no-tasks',
    'a has no task, so a run has nothing to do.',
    plan([story('a', {}, [])]),
    plan([story('a')]),
  ],
  [
    'no-verify',
    'a and b have no verify command.',
    plan(all('a b'), {}, { verify: null }),
    plan([story('a', { verify: 'make test' })], {}, { verify: null }),
  ],
  [
    'many-tasks',
    'a has 8 tasks. A story of more than 7 is hard to review.',
    plan([
      story(
        'a',
        {},
        [...'abcdefgh'].map((id) => task(id)),
      ),
    ]),
    plan([
      story(
        'a',
        {},
        [...'abcdefg'].map((id) => task(id)),
      ),
    ]),
  ],
  [
    'many-files',
    'a/one names 6 files or globs. A task of more than 5 files is large for one run.',
    plan([story('a', {}, [task('one', { writeFiles: [...'abcdef'] })])]),
    plan([story('a', {}, [task('one', { writeFiles: [...'abcde'] })])]),
  ],
  [
    'vague-task',
    'a/one: nobody could check whether "Improve things" is done.',
    plan([story('a', {}, [task('one', { subject: 'Improve things' })])]),
    plan([story('a', {}, [task('one', { subject: 'Improve things', doneWhen: 'p95 < 1 s' })])]),
  ],
  [
    'overlap',
    'b may run beside a and may write the same files.',
    plan(all('a b', { writeFiles: ['src/cart/**'] }), { a: [], b: [] }),
    plan(all('a b', { writeFiles: ['src/cart/**'] }), { a: [], b: ['a'] }),
  ],
  [
    'needless-order',
    'c waits for a, and for b, which waits for a itself.',
    plan(all('a b c'), { a: [], b: ['a'], c: ['a', 'b'] }),
    plan(all('a b c'), { a: [], b: [], c: ['a', 'b'] }),
  ],
  [
    'loose-end',
    'Nothing in epic shop waits for x, though almost everything else comes before d.',
    plan(all('a b c x d'), { a: [], b: ['a'], c: ['b'], x: ['a'], d: ['c'] }),
    plan(all('a b c x d'), { a: [], b: ['a'], c: ['a'], x: ['a'], d: ['a'] }),
  ],
];

test.each(CASES)('%s', (rule, says, bad, good) => {
  const found = lintPlan(bad).filter((it) => it.rule === rule);
  expect(found.map(({ message }) => message)).toEqual([says]);
  expect(found[0]?.remedy).toMatch(/\w/);
  expect(lintPlan(good).filter((it) => it.rule === rule)).toEqual([]);
});

test('every rule has its case, but the one that needs a repository', () => {
  const shown = CASES.map(([rule]) => rule);
  expect([...shown, 'verify-fails'].toSorted()).toEqual(Object.keys(ADVICE_RULES).toSorted());
});

test('the order of tasks is judged too, and a good plan gets no advice', () => {
  const tasks = [task('a'), task('b', { blockedBy: ['a'] }), task('c', { blockedBy: ['b', 'a'] })];
  expect(lintPlan(plan([story('x', {}, tasks)]))).toMatchObject([
    { rule: 'needless-order', story: 'x', task: 'c' },
  ]);
  expect(lintPlan(plan(all('a b c'), { a: [], b: ['a'], c: ['b'] }))).toEqual([]);
});

test('stories of inner epics run beside those around them; what is over gets no advice', () => {
  const stories = all('a b', { writeFiles: ['src/**'] });
  const epics = [
    {
      id: 'outer',
      title: 'o',
      description: '',
      children: [
        { id: 'inner', blockedBy: [] },
        { id: 'b', blockedBy: [] as string[] },
      ],
    },
    { id: 'inner', title: 'i', description: '', children: [{ id: 'a', blockedBy: [] }] },
  ];
  expect(lintPlan(plan(stories, {}, { epics }))).toMatchObject([{ rule: 'overlap', story: 'b' }]);
  epics[0]?.children[1]?.blockedBy.push('inner');
  expect(lintPlan(plan(stories, {}, { epics }))).toEqual([]);
  const over = all('a b', { writeFiles: ['src/**'], doneWhen: '' }).map((it) => ({
    ...it,
    tasks: [task('one', { status: 'completed' })],
  }));
  expect(lintPlan(plan(over, { a: [], b: [] }, { verify: null }))).toEqual([]);
});

test('advice on new stories names what they share with others, and nothing else', () => {
  const stories = [...all('old new', { writeFiles: ['src/**'] }), story('other', { doneWhen: '' })];
  const found = lintSome(plan(stories, { old: [], new: [], other: [] }), ['old']);
  expect(found.map(({ rule, story: id }) => [rule, id])).toEqual([['overlap', 'new']]);
});

test('advice on another story is left out, even if a word in it is the id of a new story', () => {
  const other = story('other', {}, [task('cart', { subject: 'Improve the cart', doneWhen: '' })]);
  const both = plan([story('cart'), other]);
  expect(lintPlan(both)).toMatchObject([{ rule: 'vague-task', story: 'other' }]);
  expect(lintSome(both, ['cart'])).toEqual([]);
});

test.each<[vague: boolean, subject: string, description?: string]>([
  [true, 'Improve things'],
  [true, 'Refactor'],
  [true, 'Clean up the code'],
  [true, 'Fix various issues'],
  [true, 'Implement it'],
  [true, 'Make it better'],
  [true, 'Handle errors properly'],
  [true, 'Docs etc'],
  [true, 'Work on the cart', 'The cart should be nicer.'],
  [false, 'Write failing tests for total'],
  [false, 'Add an endpoint for orders'],
  [false, 'Refactor src/cart.ts into functions'],
  [false, 'Improve the search', 'Keep the index in `.cache/index.json`.'],
  [false, 'Handle HTTP 429 by waiting'],
  [false, 'Rename getCart to loadCart'],
])('a subject that nobody could check: %j %s', (vague, subject, description = '') => {
  expect(isVague({ subject, description })).toBe(vague);
});
