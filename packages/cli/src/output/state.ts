import type { TaskStatus } from '@saga-ai/types/plan/task';
import type { EpicView, Reason, SessionView, StoryView } from '@saga-ai/types/screens/overview';
import { isStalled } from '@saga-ai/types/screens/stall';
import { formatDuration, formatSpent } from '@saga-ai/types/words/amounts';
import type { Tone } from './style.ts';
import { cleanLine } from './text.ts';

export interface State {
  glyph: string;
  tone: Tone;
}

const DONE: State = { glyph: '✓', tone: 'done' };
const RUNNING: State = { glyph: '●', tone: 'running' };
const NEEDS_YOU: State = { glyph: '!', tone: 'needs-you' };
const STARTED: State = { glyph: '◐', tone: 'waiting' };
const WAITING: State = { glyph: '○', tone: 'waiting' };
const READY: State = { glyph: '○', tone: 'plain' };

export function stateOfStory(story: StoryView): State {
  if (story.running && !isStalled(story)) return RUNNING;
  if (story.needsYou) return NEEDS_YOU;
  if (story.status === 'completed') return DONE;
  if (story.status === 'in_progress') return STARTED;
  return story.blockedBy.length > 0 ? WAITING : READY;
}

export function stateOfEpic(epic: EpicView): State {
  if (epic.status === 'completed') return DONE;
  if (epic.status === 'in_progress') return STARTED;
  return epic.blockedBy.length > 0 ? WAITING : READY;
}

export function stateOfTask(status: TaskStatus, blocked: boolean): State {
  if (status === 'completed') return DONE;
  if (status === 'in_progress') return STARTED;
  return blocked ? WAITING : READY;
}

/** As people say it. */
const KIND_WORDS: Readonly<Record<Reason['kind'], string>> = {
  blocker: 'blocker',
  escalated: 'tried too often',
  gate: 'gate',
  stalled: 'stalled',
};

/** What a person should know beside the progress; empty when there is nothing. */
export function describeStory(story: StoryView): string {
  if (story.session && !isStalled(story)) return describeSession(story.session, story.working);
  const [reason, ...more] = story.needsYou ?? [];
  if (reason) {
    const since = reason.since ? `, ${formatAge(reason.since)}` : '';
    const rest = more.length > 0 ? `, ${more.length} more` : '';
    return `needs you: ${cleanLine(reason.title)} (${KIND_WORDS[reason.kind]}${since}${rest})`;
  }
  if (story.status === 'completed') return story.pr ?? '';
  if (story.working) return cleanLine(story.working);
  if (story.blockedBy.length > 0) return `waits for ${story.blockedBy.join(', ')}`;
  return story.ready ? 'ready' : story.progress.total === 0 ? 'no tasks yet' : 'see saga check';
}

function describeSession(session: SessionView, working: string | null): string {
  const { task, activity, cycle, startedAt, tokens, costUsd } = session;
  return [
    task ?? working,
    activity,
    `cycle ${cycle}`,
    formatDuration(Date.now() - Date.parse(startedAt)),
    ...formatSpent(tokens, costUsd),
  ]
    .flatMap((it) => (it ? [cleanLine(it)] : []))
    .join(' · ');
}

export function formatProgress({ completed, total }: { completed: number; total: number }): string {
  return `${completed}/${total}`;
}

export function formatBar({ completed, total }: { completed: number; total: number }): string {
  const width = 12;
  const full = total === 0 ? 0 : Math.floor((completed / total) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

/** "25 min", "3 h", "2 days"; a time that cannot be read is not shown as one. */
export function formatAge(time: string, now = Date.now()): string {
  const minutes = Math.round((now - Date.parse(time)) / 60_000);
  if (!Number.isFinite(minutes) || minutes < 0) return time;
  if (minutes < 90) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}
