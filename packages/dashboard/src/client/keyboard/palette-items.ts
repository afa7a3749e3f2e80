import type { EpicView, StoryView } from '@saga-ai/types/overview';
import { type State, stateOfEpic, stateOfStory } from '../state/state.ts';

export interface PaletteItem {
  kind: 'page' | 'epic' | 'story';
  id: string;
  title: string;
  /** A path inside the page. */
  to: string;
  state?: State;
}

const PAGES: readonly PaletteItem[] = [
  { kind: 'page', id: 'home', title: 'Home', to: '/' },
  { kind: 'page', id: 'sessions', title: 'Sessions', to: '/sessions' },
  { kind: 'page', id: 'problems', title: 'Problems', to: '/problems' },
];

/**
 * Pages and epics are filtered here, and so are stories that were found for what was typed before:
 * Enter must never open one of those.
 */
export function buildPaletteItems(
  query: string,
  epics: readonly EpicView[],
  stories: readonly StoryView[],
  isStale: boolean,
): PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ id, title }: { id: string; title: string }) =>
    words.every((word) => `${id} ${title}`.toLowerCase().includes(word));
  const epicItems = epics.filter(fits).map(
    (epic): PaletteItem => ({
      kind: 'epic',
      id: epic.id,
      title: epic.title,
      to: `/epics/${epic.id}`,
      state: stateOfEpic(epic),
    }),
  );
  const storyItems = stories
    .filter((story) => !isStale || fits(story))
    .map(
      (story): PaletteItem => ({
        kind: 'story',
        id: story.id,
        title: story.title,
        to: `/stories/${story.id}`,
        state: stateOfStory(story),
      }),
    );
  return words.length === 0
    ? [...storyItems, ...epicItems.slice(0, 5), ...PAGES]
    : [...epicItems.slice(0, 5), ...storyItems, ...PAGES.filter(fits)];
}
