import type {
  CheckAnswer,
  CheckRequest,
  CreateAnswer,
  CreateRequest,
  NewPlanAnswer,
  PlanDocumentAnswer,
  ProposalAnswer,
  ProposalRequest,
  SaveAnswer,
  SaveRequest,
} from '@saga-ai/types/screens/planning';
import { queryOptions } from '@tanstack/react-query';
import { fetchJson } from '../api/fetch-json.ts';

/**
 * How often a document is requested again. The stream names only changes that a list shows, so it may leave out a
 * changed text or the end of a worker.
 */
const DOCUMENT_MS = 4000;
const PROPOSAL_MS = 700;

export const newPlanQuery = queryOptions({
  queryKey: ['plan', 'new'],
  queryFn: ({ signal }) => fetchJson<NewPlanAnswer>('/api/plan/new', { signal }),
});

/** Below the key of all epics, so that it is requested again with every change of the plan. */
export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ['epic', 'plan', id],
    queryFn: ({ signal }) =>
      fetchJson<PlanDocumentAnswer>(`/api/plan/items/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: DOCUMENT_MS,
  });

export const checkQuery = (request: CheckRequest) =>
  queryOptions({
    queryKey: ['plan-check', JSON.stringify(request)],
    queryFn: ({ signal }) => post<CheckAnswer>('/api/plan/check', request, signal),
    placeholderData: (before) => before,
    // Each state of a text has an answer of its own; only the last few are worth keeping.
    gcTime: 10_000,
    retry: false,
  });

export const proposalQuery = queryOptions({
  queryKey: ['plan', 'proposal'],
  queryFn: ({ signal }) => fetchJson<ProposalAnswer>('/api/plan/proposal', { signal }),
  refetchInterval: ({ state }) => (state.data?.proposal?.state === 'running' ? PROPOSAL_MS : false),
});

export const createPlan = (request: CreateRequest) =>
  post<CreateAnswer>('/api/plan/create', request);

export const saveDocument = (id: string, request: SaveRequest) =>
  post<SaveAnswer>(`/api/plan/items/${encodeURIComponent(id)}`, request);

export const startProposal = (request: ProposalRequest) =>
  post<ProposalAnswer>('/api/plan/proposal', request);

export const stopProposal = () => post<ProposalAnswer>('/api/plan/proposal/stop', {});

function post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
  return fetchJson<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
}
