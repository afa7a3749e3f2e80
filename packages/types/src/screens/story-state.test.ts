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
  state: 'ready',
  reason: 'it can start now',
  next: 'saga run cart',
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
  progress: { completed: 0, total: 3 },
  working: null,
  home: '.saga/stories/cart',
  branch: null,
  pr: null,
  labels: [],
  behind: null,
};
const BLOCKER = { kind: 'blocker', title: 'Which?' } as const;
const STALL = { kind: 'stalled', title: 'The worker is silent' } as const;

test.each<[keyof typeof STATES, Partial<StoryView>]>([
  ['ready', { state: 'ready' }],
  ['waiting', { state: 'waiting', blockedBy: ['model'] }],
  ['interrupted', { state: 'interrupted', status: 'in_progress' }],
  ['interrupted', { state: 'interrupted', status: 'completed' }],
  ['running', { state: 'running', running: true }],
  ['running', { state: 'running', running: true, needsYou: [BLOCKER] }],
  ['stalled', { state: 'running', running: true, needsYou: [STALL] }],
  ['needs-you', { state: 'needs you', needsYou: [BLOCKER], status: 'completed' }],
  ['in-review', { state: 'in review', status: 'completed' }],
  ['done', { state: 'done', status: 'completed' }],
])('a story is %s: %j', (state, fields) => {
  expect(deriveStoryState({ ...STORY, ...fields })).toBe(state);
});

test('stories are listed by what needs a person, what runs, what is next, what is done', () => {
  const inOrder = (
    ['needs you', 'running', 'interrupted', 'ready', 'waiting', 'in review', 'done'] as const
  ).map((state) => ({ state }));
  const ranks = inOrder.map((fields) => stateOfStory({ ...STORY, ...fields }).rank);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect(new Set(ranks).size).toBe(ranks.length);
});

test.each<[keyof typeof STATES, Partial<EpicView>]>([
  ['ready', { state: 'ready' }],
  ['waiting', { state: 'waiting', blockedBy: ['other'] }],
  // None is under way at the moment, and yet it is not one that could begin.
  ['started', { state: 'ready', progress: { completed: 4, total: 7 } }],
  ['started', { state: 'waiting', inReview: 1 }],
  ['needs-you', { state: 'needs you', progress: { completed: 4, total: 7 } }],
  ['interrupted', { state: 'interrupted' }],
  ['in-review', { state: 'in review', inReview: 7 }],
  ['done', { state: 'done', progress: { completed: 7, total: 7 } }],
])('an epic is %s: %j', (state, fields) => {
  const progress = { completed: 0, total: 7 };
  const epic: EpicView = { ...STORY, children: [], progress, inReview: 0 };
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

test('a sign says the same as the colour: those that could start, wait or are under way differ', () => {
  const states = [STATES.ready, STATES.waiting, STATES.started, STATES.running, STATES.done];
  const signs = [...states, STATES['in-review'], STATES['needs-you'], STATES.failed];
  expect(new Set(signs.map(({ glyph }) => glyph)).size).toBe(signs.length);
});
