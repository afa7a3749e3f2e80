import { homedir } from 'node:os';
import { agent } from '@saga-ai/core/agents/chosen';
import type { Environment } from '@saga-ai/core/processes/run';
import type { Paths } from '@saga-ai/core/project/paths';
import { findRecoveryFacts } from '@saga-ai/core/recovery/find-recovery-facts';
import { planRecovery } from '@saga-ai/core/recovery/plan';
import type { RecoveryAnswer } from '@saga-ai/types/screens/dashboard';

/** What `saga recover` says of one story. */
export async function buildRecovery(
  paths: Paths,
  env: Environment,
  storyId: string,
): Promise<RecoveryAnswer> {
  const { config: clientHome } = agent.findHome(env, env.HOME ?? homedir());
  const { inFlight } = planRecovery(await findRecoveryFacts(paths, env, clientHome));
  return { item: inFlight.find(({ id, kind }) => kind === 'story' && id === storyId) ?? null };
}
