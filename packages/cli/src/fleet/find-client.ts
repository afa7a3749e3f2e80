import { agent } from '@saga-ai/core/agents/chosen';
import { loadConfigOrDefaults } from '@saga-ai/core/plan/config';
import type { Paths } from '@saga-ai/core/project/paths';

/**
 * The version of the client that the settings name, or `none`. For people who look at the fleet; whether it is new
 * enough is checked for each story.
 */
export async function findClient(
  paths: Paths,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const { claudePath } = loadConfigOrDefaults(paths, { environment: env }).worker;
  try {
    return (await agent.describe(agent.find(claudePath, paths.root, env), paths, env)).version;
  } catch {
    // This machine has no client, or one that is too old. The work on a story says so.
    return 'none';
  }
}
