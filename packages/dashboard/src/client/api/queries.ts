import type {
  EpicAnswer,
  EpicHistoryAnswer,
  EpicsAnswer,
  FindAnswer,
  HomeAnswer,
  ProblemsAnswer,
  RecoveryAnswer,
  SessionAnswer,
  SessionsAnswer,
  StoriesAnswer,
  StoryAnswer,
  StoryFilter,
  StorySort,
} from '@saga-ai/types/screens/dashboard';
import type { EpicRunReply } from '@saga-ai/types/screens/epic-run/epic-run';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { fetchJson } from './fetch-json.ts';
import { mergeRun } from './merge-run.ts';

export interface StorySearch {
  query: string;
  filter: StoryFilter;
  sort: StorySort;
}

const PAGE = 200;
const FORECAST_MS = 10_000;

export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: ({ signal }) => fetchJson<HomeAnswer>('/api/home', { signal }),
});

export const storiesQuery = (search: StorySearch) =>
  infiniteQueryOptions({
    queryKey: ['stories', search],
    queryFn: ({ signal, pageParam }) =>
      fetchJson<StoriesAnswer>(`/api/stories?${write({ ...search, cursor: pageParam })}`, {
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.cursor,
    // The previous results stay until the new answer arrives, so that the page does not jump.
    placeholderData: (before) => before,
  });

/** The query of the palette. The previous results stay until the new answer arrives. */
export const findQuery = (query: string) =>
  queryOptions({
    queryKey: ['stories', 'find', query],
    queryFn: ({ signal }) =>
      fetchJson<FindAnswer>(`/api/find?${new URLSearchParams({ query })}`, { signal }),
    placeholderData: (before) => before,
  });

export const epicHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: ['history', id],
    queryFn: ({ signal }) =>
      fetchJson<EpicHistoryAnswer>(`/api/epics/${name(id)}/history`, { signal }),
  });

/** Further items that the home page does not contain. */
export const epicsQuery = infiniteQueryOptions({
  queryKey: ['epics'],
  queryFn: ({ signal, pageParam }) =>
    fetchJson<EpicsAnswer>(`/api/epics?${write({ cursor: pageParam })}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.cursor,
});

export const epicQuery = (id: string) =>
  queryOptions({
    queryKey: ['epic', id],
    queryFn: ({ signal }) => fetchJson<EpicAnswer>(`/api/epics/${name(id)}`, { signal }),
  });

/** The newest run of an epic. */
export const epicRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['epic-run', id],
    // A page that shows the run asks only for what changed since.
    queryFn: async ({ signal, client, queryKey }) => {
      const before = client.getQueryData<EpicRunReply>(queryKey);
      const since = before ? `?since=${before.version}` : '';
      const path = `/api/epics/${name(id)}/run${since}`;
      return mergeRun(before, await fetchJson<EpicRunReply>(path, { signal }));
    },
    // A forecast changes with time alone, too.
    refetchInterval: ({ state }) => (state.data?.run?.forecast ? FORECAST_MS : false),
  });

export const storyQuery = (id: string) =>
  queryOptions({
    queryKey: ['story', id],
    queryFn: ({ signal }) => fetchJson<StoryAnswer>(`/api/stories/${name(id)}`, { signal }),
  });

/** Below the key of the story, so that it is requested again with the story. */
export const recoveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['story', id, 'recovery'],
    queryFn: ({ signal }) =>
      fetchJson<RecoveryAnswer>(`/api/stories/${name(id)}/recovery`, { signal }),
  });

export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal, pageParam }) =>
    fetchJson<SessionsAnswer>(`/api/sessions?${write({ cursor: pageParam })}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.cursor,
});

export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ['session', id],
    queryFn: ({ signal }) => fetchJson<SessionAnswer>(`/api/sessions/${name(id)}`, { signal }),
  });

export const problemsQuery = queryOptions({
  queryKey: ['problems'],
  queryFn: ({ signal }) => fetchJson<ProblemsAnswer>('/api/problems', { signal }),
});

const name = encodeURIComponent;

function write(values: Record<string, string | null>): string {
  const given = Object.entries({ limit: String(PAGE), ...values }).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '',
  );
  return new URLSearchParams(given).toString();
}
