import { SagaError } from '@saga-ai/core/errors';
import {
  STORY_FILTERS,
  STORY_SORTS,
  type StoryFilter,
  type StorySort,
} from '@saga-ai/types/screens/dashboard';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { stateOfStory } from '@saga-ai/types/screens/story-state';
import { filterByWords, splitWords } from '@saga-ai/types/words/search';
import { compareKeys, type SortKey } from './page.ts';
import { searchedTextOf } from './searched-text.ts';

export interface StoryQuery {
  query?: string | undefined;
  filter?: string | undefined;
  sort?: string | undefined;
  epic?: string | undefined;
}

/** Returns the matching stories in the requested order, and the sort key of that order. */
export function listStories(
  all: readonly StoryView[],
  request: StoryQuery,
): { stories: StoryView[]; keyOf: KeyOf } {
  const fits = FILTERS[readChoice('filter', STORY_FILTERS, request.filter)];
  const keyOf = KEYS[readChoice('sort', STORY_SORTS, request.sort)];
  const words = splitWords(request.query);
  const wanted = sortBy(all, keyOf).filter(
    (story) => fits(story) && (request.epic === undefined || story.epic === request.epic),
  );
  return { stories: filterByWords(wanted, words, searchedTextOf), keyOf };
}

type KeyOf = (story: StoryView) => SortKey;

/** Sorted lists by list and order. They are kept, because pages are requested more often than stories change. */
const SORTED = new WeakMap<readonly StoryView[], Map<KeyOf, StoryView[]>>();

/** Computes each key once: sorting ten thousand items would compute it more than a hundred thousand times. */
function sortBy(stories: readonly StoryView[], keyOf: KeyOf): StoryView[] {
  const known = SORTED.get(stories) ?? new Map<KeyOf, StoryView[]>();
  SORTED.set(stories, known);
  const found = known.get(keyOf);
  if (found) return found;
  const keyed = stories.map((story) => ({ story, key: keyOf(story) }));
  const sorted = keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ story }) => story);
  known.set(keyOf, sorted);
  return sorted;
}

export const FILTERS: Readonly<Record<StoryFilter, (story: StoryView) => boolean>> = {
  all: () => true,
  'needs-you': (story) => story.needsYou !== null,
  running: (story) => story.running,
  ready: (story) => story.ready,
  waiting: (story) => story.state === 'waiting',
  interrupted: (story) => story.state === 'interrupted',
  'in-review': (story) => story.state === 'in review',
  done: (story) => story.state === 'done',
};

const KEYS: Readonly<Record<StorySort, (story: StoryView) => SortKey>> = {
  id: (story) => ['', story.id],
  title: (story) => [story.title.toLowerCase(), story.id],
  state: (story) => [stateOfStory(story).rank, story.id],
  progress: (story) => [-shareDone(story), story.id],
};

const shareDone = ({ progress: { completed, total } }: StoryView) =>
  total === 0 ? 0 : completed / total;

function readChoice<T extends string>(name: string, choices: readonly T[], given?: string): T {
  const [first] = choices;
  const found = choices.find((it) => it === (given ?? first));
  if (found !== undefined) return found;
  throw new SagaError(
    'usage',
    `${name} cannot be ${JSON.stringify(given)}.`,
    `Use one of ${choices.join(', ')}.`,
  );
}
