import { formatEpicSession, formatSession } from '@saga-ai/types/words/names';
import { loadConfig } from '../plan/config.ts';
import type { LandOrder } from './land.ts';

type Given = 'paths' | 'kind' | 'env' | 'agentHome' | 'stop' | 'isRoot' | 'wish';

/** Completes what `land` needs to know: settings, names and times. */
export function orderLanding(id: string, given: Pick<LandOrder, Given>): LandOrder {
  const { paths, kind, env, wish } = given;
  const { config } = loadConfig(paths, { environment: env });
  const timestamp = Date.now();
  const name = { storyId: id, timestamp };
  return {
    ...given,
    storyId: id,
    config,
    session: kind === 'story' ? formatSession(name) : formatEpicSession(name),
    timestamp,
    deadline: timestamp + wish.waitMs + (config.worker.maxTime + config.gate.timeout) * 60_000,
    anyway: false,
    listen: () => {},
  };
}
