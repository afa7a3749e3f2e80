import { withoutStrayGit } from '../git/git.ts';
import { buildPaths } from '../project/paths.ts';
import { findBubblewrap, sandboxRequired } from '../sandbox/find-bubblewrap.ts';
import type { Need } from './need.ts';

/** The client is there and new enough. The check returns its version. */
export const client: Need = {
  name: 'claude',
  async check({ root, config, env, agent, isThorough = false }) {
    const path = agent.find(config.worker.claudePath, root, env);
    const asked = { isFresh: isThorough };
    return { what: (await agent.describe(path, buildPaths(root), env, asked)).version };
  },
};

/** A run would be logged in. The client is asked in the project's folder, with the settings of a run. */
export const login: Need = {
  name: 'login',
  after: client,
  async check({ root, config, env, agent, agentHome, isThorough = false }, version) {
    if (!agentHome) return { what: 'not needed' };
    const path = agent.find(config.worker.claudePath, root, env);
    const how = await agent.requireLogin({
      program: { path, version: version?.what ?? '' },
      home: agentHome,
      folder: root,
      env: withoutStrayGit(env),
      isQuick: !isThorough,
    });
    return { what: how ?? 'not known: this version of Claude Code does not tell' };
  },
};

/** The sandbox that the settings ask for works on this machine. */
export const sandboxPrograms: Need = {
  name: 'sandbox',
  async check({ config, env }) {
    const { sandbox } = config.worker;
    if (sandbox === 'off') return { what: 'off: a run has your rights' };
    const found = await findBubblewrap(env, config.sandbox.network);
    if ('path' in found) return { what: 'bubblewrap works' };
    if (sandbox === 'required') throw sandboxRequired(found);
    return { what: `runs are not enclosed: ${found.missing}`, remedy: found.remedy };
  },
};
