import type { ActionAnswer } from '@saga-ai/types/screens/dashboard';
import type {
  FileDiffAnswer,
  LandingAnswer,
  RemarksRequest,
  ReviewAnswer,
  ReviewCommits,
  ToReviewAnswer,
} from '@saga-ai/types/screens/review/review';
import { queryOptions } from '@tanstack/react-query';
import { fetchJson } from '../api/fetch-json.ts';

const POLL_MS = 700;

/** Below the key of the home page, so that it is requested again with it. */
export const toReviewQuery = queryOptions({
  queryKey: ['home', 'to-review'],
  queryFn: ({ signal }) => fetchJson<ToReviewAnswer>('/api/review', { signal }),
});

export const reviewQuery = (id: string) =>
  queryOptions({
    queryKey: ['review', id],
    queryFn: ({ signal }) => fetchJson<ReviewAnswer>(`/api/review/${name(id)}`, { signal }),
  });

/** How the landing stands. While it goes on, the page asks again and again: no file tells of it. */
export const landingQuery = (id: string) =>
  queryOptions({
    queryKey: ['review', id, 'landing'],
    queryFn: ({ signal }) =>
      fetchJson<LandingAnswer>(`/api/review/${name(id)}/landing`, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.landing?.state === 'landing' || state.data?.landing?.state === 'looking'
        ? POLL_MS
        : false,
  });

export function fetchFileDiff(
  id: string,
  { from, to }: ReviewCommits,
  place: number,
  isWhole: boolean,
  signal: AbortSignal,
): Promise<FileDiffAnswer> {
  const query = new URLSearchParams({ from, to, ...(isWhole ? { all: '1' } : {}) });
  return fetchJson(`/api/review/${name(id)}/files/${place}?${query}`, { signal });
}

export const sendRemarks = (id: string, request: RemarksRequest) =>
  post<ActionAnswer>(`${name(id)}/remarks`, request);

export const lookAtLanding = (id: string) => post<LandingAnswer>(`${name(id)}/look`, {});

export const agreeToLand = (id: string, tip: string) =>
  post<LandingAnswer>(`${name(id)}/land`, { tip });

export const stopLanding = (id: string) => post<ActionAnswer>(`${name(id)}/stop`, {});

const post = <T>(path: string, body: object) =>
  fetchJson<T>(`/api/review/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const name = encodeURIComponent;
