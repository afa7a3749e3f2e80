import { homedir } from 'node:os';
import { formatSession } from '@saga-ai/types/words/names';
import { agent } from '../agents/chosen.ts';
import { loadConfig } from '../plan/config.ts';
import type { Environment } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import { type Updated, type UpdateOrder, updateStory } from './update-story.ts';

/** The limit of an update. It is enough for a slow remote, and no other step takes long. */
const LONGEST_MS = 10 * 60_000;

export interface UpdateRequest extends Pick<UpdateOrder, 'parts' | 'listen'> {
  paths: Paths;
  storyId: string;
  env: Environment;
  userId: number | undefined;
  /** Aborted when the update must end. */
  stop?: AbortSignal;
}

/** Brings a story up to date because a person asked for it: by `saga update`, or on the page. */
export function updateNow(request: UpdateRequest): Promise<Updated | undefined> {
  const { paths, storyId, env, userId, parts, listen } = request;
  const now = Date.now();
  return updateStory({
    paths,
    storyId,
    config: loadConfig(paths, { environment: env }).config,
    env,
    agentHome: agent.findHome(env, env.HOME ?? homedir()),
    session: formatSession({ storyId, timestamp: now }),
    timestamp: now,
    deadline: now + LONGEST_MS,
    stop: request.stop ?? new AbortController().signal,
    anyway: true,
    isRoot: userId === 0,
    parts,
    listen,
  });
}
