import type { StoryFilter, StorySort } from '@saga-ai/types/screens/dashboard';

/** The search, filter and order of the list of stories, from the address. */
export interface HomeSearch {
  q?: string;
  filter?: StoryFilter;
  sort?: StorySort;
}

export const FILTERS: readonly (readonly [StoryFilter, string])[] = [
  ['all', 'All'],
  ['needs-you', 'Needs you'],
  ['running', 'Running'],
  ['ready', 'Ready'],
  ['waiting', 'Waiting'],
  ['interrupted', 'Interrupted'],
  ['in-review', 'In review'],
  ['done', 'Done'],
];

export const SORTS: readonly (readonly [StorySort, string])[] = [
  ['state', 'State'],
  ['id', 'Id'],
  ['title', 'Title'],
  ['progress', 'Progress'],
];

/** Defaults are left out of the address. */
export function readHomeSearch(search: Record<string, unknown>): HomeSearch {
  const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : '';
  const filter = FILTERS.find(([value]) => value === search.filter)?.[0] ?? 'all';
  const sort = SORTS.find(([value]) => value === search.sort)?.[0] ?? 'state';
  return {
    q: q === '' ? undefined : q,
    filter: filter === 'all' ? undefined : filter,
    sort: sort === 'state' ? undefined : sort,
  };
}
