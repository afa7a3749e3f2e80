import type { TaskStatus } from '../plan/task.ts';
import type { OutcomeKind } from '../run/session-record.ts';
import type { LifeState } from './life.ts';
import type { EpicView, StoryView } from './overview.ts';
import { isStalled } from './stall.ts';

/** A colour shows a state. A glyph means the same in lists, graphs and logs. */
export type Tone = 'done' | 'running' | 'waiting' | 'needs-you' | 'plain';

/** How a state looks on every screen. */
export interface State {
  readonly glyph: string;
  readonly tone: Tone;
  /** For readers who see neither colour nor glyph. */
  readonly word: string;
  /** The position in a list: first what needs a person, then what runs, what is next, what is done. */
  readonly rank: number;
}

const look = (glyph: string, tone: Tone, word: string, rank: number): State => ({
  glyph,
  tone,
  word,
  rank,
});

/** Glyph, tone, word and rank of every state. A new state needs a line here and a line where it is derived. */
export const STATES = {
  'needs-you': look('!', 'needs-you', 'needs you', 0),
  stalled: look('!', 'needs-you', 'stalled', 0),
  escalated: look('!', 'needs-you', 'escalated', 0),
  died: look('✗', 'needs-you', 'died', 0),
  error: look('✗', 'needs-you', 'error', 0),
  failed: look('✗', 'needs-you', 'failed', 0),
  running: look('●', 'running', 'running', 1),
  interrupted: look('◐', 'waiting', 'interrupted', 2),
  started: look('◐', 'waiting', 'started', 2),
  limit: look('◐', 'waiting', 'limit', 2),
  stopped: look('◐', 'waiting', 'stopped', 2),
  ended: look('◐', 'waiting', 'ended', 2),
  ready: look('○', 'plain', 'ready', 3),
  pending: look('○', 'plain', 'pending', 4),
  waiting: look('◌', 'waiting', 'waiting', 5),
  skipped: look('–', 'plain', 'skipped', 5),
  'in-review': look('◇', 'waiting', 'in review', 6),
  done: look('✓', 'done', 'done', 7),
  passed: look('✓', 'done', 'passed', 7),
} as const satisfies Record<string, State>;
export type StateName = keyof typeof STATES;

export function stateOfStory(story: StoryView): State {
  return STATES[deriveStoryState(story)];
}

/** How each state of a life looks; a worker that is silent looks as one that needs a person. */
const LOOKS: Readonly<Record<LifeState, StateName>> = {
  running: 'running',
  done: 'done',
  'needs you': 'needs-you',
  'in review': 'in-review',
  interrupted: 'interrupted',
  waiting: 'waiting',
  ready: 'ready',
};

export function deriveStoryState(story: StoryView): StateName {
  return story.state === 'running' && isStalled(story) ? 'stalled' : LOOKS[story.state];
}

/** An epic with some stories done, none running and none that needs a person, is under way. */
export function stateOfEpic({ state, progress, inReview }: EpicView): State {
  const isUnderWay = progress.completed + inReview > 0;
  const isIdle = state === 'ready' || state === 'waiting';
  return STATES[isIdle && isUnderWay ? 'started' : LOOKS[state]];
}

/** A task in progress is running only while a worker runs; otherwise a worker left it unfinished. */
export function stateOfTask(
  task: { status: TaskStatus; escalated?: boolean | undefined },
  { isRunning, isWaiting }: { isRunning: boolean; isWaiting: boolean },
): State {
  if (task.status === 'completed') return STATES.done;
  if (task.escalated) return STATES.escalated;
  if (task.status === 'in_progress') return isRunning ? STATES.running : STATES.started;
  return isWaiting ? STATES.waiting : STATES.pending;
}

/** The state of a task in a list. It says more than the status that Claude Code stores. */
export const TASK_STATES = [
  'ready',
  'in_progress',
  'done',
  'blocked',
  'failed',
  'escalated',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

export const LIST_TASK_STATES: Readonly<Record<TaskState, State>> = {
  ready: STATES.ready,
  in_progress: STATES.running,
  done: STATES.done,
  blocked: STATES.waiting,
  failed: STATES.failed,
  escalated: STATES.escalated,
};

/** The states of a session: it runs, it ended, or its process died without an end. */
export const SESSION_STATES = ['running', 'ended', 'died'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

export function lookOfSession(state: SessionState, outcome: OutcomeKind | undefined): State {
  return STATES[state === 'ended' ? (outcome ?? 'ended') : state];
}

export function stateOfCheck(outcome: 'passed' | 'failed' | 'skipped'): State {
  return STATES[outcome];
}
