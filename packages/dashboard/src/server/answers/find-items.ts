import type { LiveOverview } from '@saga-ai/core/overview/live/live-overview';
import type { FindAnswer } from '@saga-ai/types/screens/dashboard';
import { stateOfEpic } from '@saga-ai/types/screens/story-state';
import { filterByWords, splitWords } from '@saga-ai/types/words/search';
import { listStories } from './list-stories.ts';
import { searchedTextOf } from './searched-text.ts';

const EPICS = 5;
const STORIES = 12;

/** Returns the best matches. Among equal matches, items that need a person or are running come first. */
export function findItems(
  { stories, epics }: Pick<LiveOverview, 'stories' | 'epics'>,
  query: string | undefined,
): FindAnswer {
  const words = splitWords(query);
  const fitting = filterByWords(epics, words, searchedTextOf);
  return {
    epics: takeBest(
      fitting.toSorted((a, b) => stateOfEpic(a).rank - stateOfEpic(b).rank),
      words,
      EPICS,
    ),
    stories: takeBest(listStories(stories, { query }).stories, words, STORIES),
  };
}

/** An exact name wins over all names that contain it. */
function takeBest<T extends { id: string; title: string }>(
  ordered: readonly T[],
  words: readonly string[],
  most: number,
): T[] {
  if (words.length === 0) return ordered.slice(0, most);
  const typed = words.join(' ');
  const ranks: [exact: T[], begin: T[], contain: T[]] = [[], [], []];
  for (const item of ordered) {
    const names = [item.id, item.title.toLowerCase()];
    if (names.includes(typed)) ranks[0].push(item);
    else if (names.some((name) => name.startsWith(typed))) ranks[1].push(item);
    else ranks[2].push(item);
  }
  return ranks.flat().slice(0, most);
}
