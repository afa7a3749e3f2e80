import { isAtLeast } from '@saga-ai/types/words/versions';
import { askClaudeVersion, findClaude } from '../agents/claude/claude.ts';
import { OLDEST_CLIENT } from '../agents/claude/client-features.ts';
import { recallVersion } from '../agents/claude/program-version.ts';
import { SagaError } from '../errors.ts';
import { findOnPath } from '../processes/find-program.ts';
import { buildPaths } from '../project/paths.ts';
import type { Need } from './need.ts';

export const client: Need = {
  name: 'claude',
  async check({ root, config, env }) {
    const path = findClaude(config.worker.claudePath, root, env);
    const version = await recallVersion(buildPaths(root), path, () =>
      askClaudeVersion(path, root, env),
    );
    if (isAtLeast(version, OLDEST_CLIENT)) return version;
    throw new SagaError(
      'missing-program',
      `${path} is Claude Code ${version}; SAGA needs ${OLDEST_CLIENT} or later.`,
      'Update it: claude update, or npm install -g @anthropic-ai/claude-code',
    );
  },
};

/** Without these programs the client's own sandbox would refuse every command, run after run. */
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
