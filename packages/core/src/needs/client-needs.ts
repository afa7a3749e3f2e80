import { withoutStrayGit } from '../git/git.ts';
import { buildPaths } from '../project/paths.ts';
import { findBubblewrap, sandboxRequired } from '../sandbox/find-bubblewrap.ts';
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

/** The sandbox that the settings ask for works on this machine. */
export const sandboxPrograms: Need = {
  name: 'sandbox',
  async check({ config, env }) {
    const { sandbox } = config.worker;
    if (sandbox === 'off') return 'off';
    const found = await findBubblewrap(env, config.sandbox.network);
    if ('path' in found) return 'bubblewrap works';
    if (sandbox === 'auto') return `runs are not enclosed: ${found.missing}. ${found.remedy}`;
    throw sandboxRequired(found);
  },
};
