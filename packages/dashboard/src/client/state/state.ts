import type { Task } from '@saga-ai/types/plan/task';
import type { SessionSummary } from '@saga-ai/types/screens/dashboard';
import type { EpicView, StoryView } from '@saga-ai/types/screens/overview';
import { isStalled } from '@saga-ai/types/screens/stall';

/** Colour means state, and a glyph always says the same: in graph, list and log alike. */
export type Tone = 'done' | 'running' | 'waiting' | 'needs-you' | 'plain';

export interface State {
  tone: Tone;
  glyph: string;
  /** For readers who see neither colour nor glyph. */
  word: string;
}

const DONE: State = { tone: 'done', glyph: '✓', word: 'done' };
const RUNNING: State = { tone: 'running', glyph: '●', word: 'running' };
const NEEDS_YOU: State = { tone: 'needs-you', glyph: '!', word: 'needs you' };
const STARTED: State = { tone: 'waiting', glyph: '◐', word: 'started' };
const WAITING: State = { tone: 'waiting', glyph: '○', word: 'waiting' };
const READY: State = { tone: 'plain', glyph: '○', word: 'ready' };
const PENDING: State = { tone: 'plain', glyph: '○', word: 'pending' };
const FAILED: State = { tone: 'needs-you', glyph: '✗', word: 'failed' };
const SKIPPED: State = { tone: 'plain', glyph: '–', word: 'skipped' };

export function stateOfStory(story: StoryView): State {
  if (story.running) return isStalled(story) ? { ...NEEDS_YOU, word: 'stalled' } : RUNNING;
  if (story.needsYou) return NEEDS_YOU;
  if (story.status === 'completed') return DONE;
  if (story.status === 'in_progress') return STARTED;
  if (story.blockedBy.length > 0) return WAITING;
  return story.ready ? READY : PENDING;
}

export function stateOfEpic(epic: EpicView): State {
  if (epic.status === 'completed') return DONE;
  if (epic.status === 'in_progress' || epic.progress.completed > 0) return STARTED;
  return epic.blockedBy.length > 0 ? WAITING : READY;
}

/** A task in progress is at work only while a worker lives; else it was left behind. */
export function stateOfTask(task: Task, isRunning: boolean, unmet: readonly string[]): State {
  if (task.status === 'completed') return DONE;
  if (task.escalated) return { ...NEEDS_YOU, word: 'escalated' };
  if (task.status === 'in_progress') return isRunning ? RUNNING : STARTED;
  return unmet.length > 0 ? WAITING : PENDING;
}

export function stateOfSession(session: SessionSummary): State {
  if (session.state === 'running') return RUNNING;
  if (session.state === 'died') return { ...FAILED, word: 'died' };
  switch (session.outcome) {
    case 'done':
      return DONE;
    case 'needs-you':
      return NEEDS_YOU;
    case 'error':
      return { ...FAILED, word: 'error' };
    default:
      return { ...STARTED, word: session.outcome ?? 'ended' };
  }
}

export function stateOfCheck(outcome: 'passed' | 'failed' | 'skipped'): State {
  if (outcome === 'passed') return { ...DONE, word: 'passed' };
  return outcome === 'failed' ? FAILED : SKIPPED;
}
