import { expect, test } from 'vitest';
import type { EpicView, StoryView } from './overview.ts';
import {
  deriveStoryState,
  lookOfSession,
  STATES,
  stateOfEpic,
  stateOfStory,
  stateOfTask,
} from './story-state.ts';

const STORY: StoryView = {
  id: 'cart',
  title: 'Cart',
  epic: null,
  status: 'pending',
  ready: false,
  blockedBy: [],
  running: false,
  session: null,
  needsYou: null,
  progress: { completed: 0, total: 3 },
  working: null,
  home: '.saga/stories/cart',
  branch: null,
  pr: null,
  labels: [],
};
const BLOCKER = { kind: 'blocker', title: 'Which?' } as const;
const STALL = { kind: 'stalled', title: 'The worker is silent' } as const;

test.each<[keyof typeof STATES, Partial<StoryView>]>([
  ['pending', {}],
  ['ready', { ready: true }],
  ['waiting', { blockedBy: ['model'] }],
  ['started', { status: 'in_progress' }],
  ['started', { ready: true, progress: { completed: 1, total: 3 } }],
  ['running', { running: true, status: 'in_progress' }],
  ['running', { running: true, needsYou: [BLOCKER] }],
  ['stalled', { running: true, needsYou: [STALL] }],
  ['needs-you', { needsYou: [BLOCKER], status: 'in_progress' }],
  ['needs-you', { needsYou: [BLOCKER], status: 'completed' }],
  ['done', { status: 'completed', progress: { completed: 3, total: 3 } }],
])('a story is %s: %j', (state, fields) => {
  expect(deriveStoryState({ ...STORY, ...fields })).toBe(state);
});

test('stories are listed by what needs a person, what runs, what is next, what is done', () => {
  const inOrder: Partial<StoryView>[] = [
    { needsYou: [BLOCKER] },
    { running: true },
    { ready: true, progress: { completed: 1, total: 3 } },
    { ready: true },
    {},
    { blockedBy: ['model'] },
    { status: 'completed' },
  ];
  const ranks = inOrder.map((fields) => stateOfStory({ ...STORY, ...fields }).rank);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect(new Set(ranks).size).toBe(ranks.length);
});

test.each<[keyof typeof STATES, Partial<EpicView>]>([
  ['ready', {}],
  ['waiting', { blockedBy: ['other'] }],
  ['started', { status: 'in_progress' }],
  // None is under way at the moment, and yet it is not one that could begin.
  ['started', { progress: { completed: 4, total: 7 } }],
  ['done', { status: 'completed', progress: { completed: 7, total: 7 } }],
])('an epic is %s: %j', (state, fields) => {
  const epic: EpicView = { ...STORY, children: [], progress: { completed: 0, total: 7 } };
  expect(stateOfEpic({ ...epic, ...fields })).toBe(STATES[state]);
});

test('a task is at work only while a worker lives', () => {
  const idle = { isRunning: false, isWaiting: false };
  const task = { status: 'in_progress' } as const;
  expect(stateOfTask(task, { ...idle, isRunning: true })).toBe(STATES.running);
  expect(stateOfTask(task, idle)).toBe(STATES.started);
  expect(stateOfTask({ status: 'pending', escalated: true }, idle)).toBe(STATES.escalated);
  expect(stateOfTask({ status: 'pending' }, { ...idle, isWaiting: true })).toBe(STATES.waiting);
  expect(stateOfTask({ status: 'pending' }, idle)).toBe(STATES.pending);
  expect(stateOfTask({ status: 'completed' }, idle)).toBe(STATES.done);
});

test('a session looks as it ended', () => {
  expect(lookOfSession('running', undefined)).toBe(STATES.running);
  expect(lookOfSession('died', undefined)).toBe(STATES.died);
  expect(lookOfSession('ended', 'needs-you')).toBe(STATES['needs-you']);
  expect(lookOfSession('ended', 'limit')).toBe(STATES.limit);
  expect(lookOfSession('ended', undefined)).toBe(STATES.ended);
});
