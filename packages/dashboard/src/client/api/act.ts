import type { ActionAnswer, ResolveRequest } from '@saga-ai/types/screens/dashboard';
import { ApiError } from './api-error.ts';
import { fetchJson } from './fetch-json.ts';
import { checkToken, readToken } from './token.ts';

export type StoryAction =
  | { verb: 'run' }
  | { verb: 'stop' }
  | { verb: 'resolve'; request: ResolveRequest };

export async function act(storyId: string, action: StoryAction): Promise<ActionAnswer> {
  const body = action.verb === 'resolve' ? action.request : {};
  try {
    return await fetchJson<ActionAnswer>(
      `/api/stories/${encodeURIComponent(storyId)}/${action.verb}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-saga-token': readToken() ?? '' },
        body: JSON.stringify(body),
      },
    );
  } catch (error) {
    if (error instanceof ApiError && error.code === 'token') void checkToken();
    throw error;
  }
}
