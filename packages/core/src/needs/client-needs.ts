import { SagaError } from '../errors.ts';
import { buildPaths } from '../project/paths.ts';
import { findBubblewrap } from '../sandbox/find-bubblewrap.ts';
import type { Need } from './need.ts';

export const client: Need = {
  name: 'claude',
  async check({ root, config, env, agent }) {
    const path = agent.find(config.worker.claudePath, root, env);
    return (await agent.describe(path, buildPaths(root), env)).version;
  },
};

/** The sandbox that the settings ask for works on this machine. */
export const sandboxPrograms: Need = {
  name: 'sandbox',
  async check({ config, env }) {
    const { sandbox } = config.worker;
    if (sandbox === 'off') return 'off';
    const found = await findBubblewrap(env);
    if ('path' in found) return 'bubblewrap works';
    if (sandbox === 'auto') return `runs are not enclosed: ${found.missing}. ${found.remedy}`;
    throw new SagaError(
      'missing-program',
      `worker.sandbox is required, but ${found.missing}.`,
      `${found.remedy} Or set worker.sandbox to auto, and runs will not be enclosed.`,
    );
  },
};
