import type { FindAnswer } from '@saga-ai/types/screens/dashboard';
import { type State, stateOfEpic, stateOfStory } from '@saga-ai/types/screens/story-state';
import { hasWords, splitWords } from '@saga-ai/types/words/search';

export interface PaletteItem {
  kind: 'page' | 'epic' | 'story';
  id: string;
  title: string;
  /** The path of a page. */
  to: string;
  state?: State;
}

const PAGES: readonly PaletteItem[] = [
  { kind: 'page', id: 'home', title: 'Home', to: '/' },
  { kind: 'page', id: 'sessions', title: 'Sessions', to: '/sessions' },
  { kind: 'page', id: 'problems', title: 'Problems', to: '/problems' },
  { kind: 'page', id: 'plan', title: 'New plan', to: '/plan/new' },
];

/** Filters results of an earlier query, so that Enter never opens an item that does not match. */
export function buildPaletteItems(
  query: string,
  { epics, stories }: FindAnswer = { epics: [], stories: [] },
  isStale: boolean,
): PaletteItem[] {
  const words = splitWords(query);
  const fits = ({ id, title }: { id: string; title: string }) =>
    hasWords(`${id} ${title}`.toLowerCase(), words);
  const epicItems = epics
    .filter((epic) => !isStale || fits(epic))
    .map(
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
    ? [...storyItems, ...epicItems, ...PAGES]
    : [...epicItems, ...storyItems, ...PAGES.filter(fits)];
}
