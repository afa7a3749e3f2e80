import type { ActionAnswer, ResolveRequest } from '@saga-ai/types/screens/dashboard';
import { fetchJson } from './fetch-json.ts';

export type StoryAction =
  | { verb: 'run' }
  | { verb: 'stop' }
  | { verb: 'resolve'; request: ResolveRequest };

export async function act(storyId: string, action: StoryAction): Promise<ActionAnswer> {
  const body = action.verb === 'resolve' ? action.request : {};
  return fetchJson<ActionAnswer>(`/api/stories/${encodeURIComponent(storyId)}/${action.verb}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
