import { describeWaiting } from '@saga-ai/types/screens/life';
import type { SessionSummary } from '@saga-ai/types/screens/live';
import type { EpicView, StoryView } from '@saga-ai/types/screens/overview';
import { stateOfEpic, stateOfStory, type Tone } from '@saga-ai/types/screens/story-state';
import { type Cost, formatDollars, formatTokens } from '@saga-ai/types/words/amounts';

/** One story or epic on the screen of `saga watch`. */
export interface WatchRow {
  id: string;
  title: string;
  kind: 'story' | 'epic';
  glyph: string;
  tone: Tone;
  progress: string;
  isRunning: boolean;
  /** What the worker does now, or why the item needs a person. */
  doing: string;
  /** The last tool call, or the step of the gate. */
  tool: string;
  startedAt?: string;
  /** When the worker last wrote something, in milliseconds. */
  signAt?: number | undefined;
  cycle: number;
  tokens: number;
  cost: Cost;
  session?: string;
  /** The title of the first open blocker. */
  blocker?: string;
}

export interface WatchSource {
  stories: readonly StoryView[];
  epics: readonly EpicView[];
  /** The newest session of an epic. */
  schedulerOf(id: string): SessionSummary | undefined;
  /** When the output file of a session was last written, in milliseconds. */
  signOf(session: string): number | undefined;
}

/** Lists what runs and what needs a person: first schedulers, then workers, then the items that wait for a person. */
export function listWatchRows({ stories, epics, schedulerOf, signOf }: WatchSource): WatchRow[] {
  const schedulers = epics.flatMap((epic) => {
    const session = schedulerOf(epic.id);
    return session?.state === 'running' ? [toEpicRow(epic, session, signOf)] : [];
  });
  const working = stories.filter((it) => it.running).map((it) => toStoryRow(it, signOf));
  const waiting = stories
    .filter((it) => !it.running && it.state === 'needs you')
    .map((it) => toStoryRow(it, signOf));
  return [schedulers, working, waiting].flatMap((rows) => rows.sort(byId));
}

const byId = (a: WatchRow, b: WatchRow) => (a.id < b.id ? -1 : Number(a.id > b.id));

function toStoryRow(story: StoryView, signOf: WatchSource['signOf']): WatchRow {
  const { glyph, tone } = stateOfStory(story);
  const { session, needsYou } = story;
  const blocker = needsYou?.find(({ kind }) => kind === 'blocker')?.title;
  const waits = session?.waiting ? describeWaiting(session.waiting) : undefined;
  const asked = needsYou?.[0]?.title;
  const doing = story.running
    ? (waits ?? session?.task ?? story.working ?? asked ?? 'preparing')
    : (asked ?? story.reason);
  return {
    ...{ id: story.id, title: story.title, kind: 'story', glyph, tone, doing },
    progress: `${story.progress.completed}/${story.progress.total}`,
    isRunning: story.running,
    tool: waits === undefined ? (session?.activity ?? '') : '',
    cycle: session?.cycle ?? 0,
    tokens: session?.tokens ?? 0,
    cost: session ?? { costUsd: 0 },
    ...(session
      ? {
          startedAt: session.startedAt,
          session: session.session,
          signAt: signOf(session.session),
        }
      : {}),
    blocker,
  };
}

function toEpicRow(
  epic: EpicView,
  { session, activity = '', startedAt }: SessionSummary,
  signOf: WatchSource['signOf'],
): WatchRow {
  const { glyph } = stateOfEpic(epic);
  return {
    ...{ id: epic.id, title: epic.title, kind: 'epic', glyph, tone: 'running', tool: '' },
    progress: `${epic.progress.completed}/${epic.progress.total}`,
    isRunning: true,
    doing: activity === '' ? 'epic' : `epic · ${activity}`,
    ...{ cycle: 0, tokens: 0, cost: { costUsd: 0 }, startedAt, session },
    signAt: signOf(session),
  };
}

/** Returns a text such as `run 2 · 84k tokens · ~$0.61`. */
export function describeAmounts({ cycle, tokens, cost }: WatchRow): string[] {
  return [
    ...(cycle > 0 ? [`run ${cycle}`] : []),
    ...(tokens > 0 ? [`${formatTokens(tokens)} tokens`] : []),
    ...(cost.costUsd > 0 ? [formatDollars(cost)] : []),
  ];
}
