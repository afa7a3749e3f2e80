import { SagaError } from '../errors.ts';
import { withoutStrayGit } from '../git/git.ts';
import { findOnPath } from '../processes/find-program.ts';
import { buildPaths } from '../project/paths.ts';
import type { Need } from './need.ts';

export const client: Need = {
  name: 'claude',
  async check({ root, config, env, agent }) {
    const path = agent.find(config.worker.claudePath, root, env);
    return (await agent.describe(path, buildPaths(root), env)).version;
  },
};

/** A run would be logged in. It is asked exactly as a run would be, in the project's folder. */
export const login: Need = {
  name: 'login',
  after: client,
  async check({ root, config, env, agent, agentHome }) {
    if (!agentHome) return 'not needed';
    const path = agent.find(config.worker.claudePath, root, env);
    const program = await agent.describe(path, buildPaths(root), env);
    const how = await agent.requireLogin({
      program,
      home: agentHome,
      folder: root,
      env: withoutStrayGit(env),
      isQuick: true,
    });
    return how ?? 'not known: this version of Claude Code does not tell';
  },
};

/** The programs of the client's own sandbox. Without them it would refuse every command. */
export const sandboxPrograms: Need = {
  name: 'sandbox',
  async check({ config, env }) {
    if (!config.worker.sandbox) return 'off';
    const missing =
      process.platform === 'linux'
        ? ['bwrap', 'socat'].filter((name) => findOnPath(name, env) === undefined)
        : [];
    if (missing.length === 0) return 'on';
    throw new SagaError(
      'missing-program',
      `worker.sandbox needs ${missing.join(' and ')}, which cannot be found.`,
      'Install the packages bubblewrap and socat, or switch the sandbox off.',
    );
  },
};
