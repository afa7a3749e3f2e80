import { homedir } from 'node:os';
import { agent } from '@saga-ai/core/agents/chosen';
import type { Environment } from '@saga-ai/core/processes/run';
import type { Paths } from '@saga-ai/core/project/paths';
import { planRecovery } from '@saga-ai/core/recovery/plan';
import { survey } from '@saga-ai/core/recovery/survey';
import type { RecoveryAnswer } from '@saga-ai/types/screens/dashboard';

/** What `saga recover` says of one story. */
export async function buildRecovery(
  paths: Paths,
  env: Environment,
  storyId: string,
): Promise<RecoveryAnswer> {
  const { config: clientHome } = agent.findHome(env, env.HOME ?? homedir());
  const { inFlight } = planRecovery(await survey(paths, env, clientHome));
  return { item: inFlight.find(({ id, kind }) => kind === 'story' && id === storyId) ?? null };
}
