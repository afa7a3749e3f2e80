import type { ActionAnswer } from '@saga-ai/types/screens/dashboard';
import type { AcceptRequest, DraftAnswer } from '@saga-ai/types/screens/planning';
import { queryOptions } from '@tanstack/react-query';
import { fetchJson } from '../api/fetch-json.ts';

/** Below the key of the home page, so that it is requested again with it. */
export const draftQuery = (number: number) =>
  queryOptions({
    queryKey: ['home', 'draft', number],
    queryFn: ({ signal }) => fetchJson<DraftAnswer>(`/api/drafts/${number}`, { signal }),
  });

export const acceptDraft = (number: number, request: AcceptRequest) =>
  post(`${number}/accept`, request);

export const dropDraft = (number: number) => post(`${number}/drop`, {});

const post = (path: string, body: object) =>
  fetchJson<ActionAnswer>(`/api/drafts/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
