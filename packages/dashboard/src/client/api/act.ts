import type { ActionAnswer, ResolveRequest, TellRequest } from '@saga-ai/types/screens/dashboard';
import type { JobsRequest } from '@saga-ai/types/screens/epic-run/epic-run';
import { fetchJson } from './fetch-json.ts';

export type StoryAction =
  | { verb: 'run' }
  | { verb: 'stop' }
  | { verb: 'update' }
  | { verb: 'discard' }
  | { verb: 'tell'; request: TellRequest }
  | { verb: 'resolve'; request: ResolveRequest };

export type EpicAction =
  | { verb: 'run' | 'jobs'; request: JobsRequest }
  | { verb: 'pause' | 'continue' | 'stop' };

export const act = (storyId: string, action: StoryAction) => send('stories', storyId, action);

export const actOnEpic = (epicId: string, action: EpicAction) => send('epics', epicId, action);

function send(
  kind: 'stories' | 'epics',
  id: string,
  action: StoryAction | EpicAction,
): Promise<ActionAnswer> {
  const body = 'request' in action ? action.request : {};
  return fetchJson<ActionAnswer>(`/api/${kind}/${encodeURIComponent(id)}/${action.verb}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
