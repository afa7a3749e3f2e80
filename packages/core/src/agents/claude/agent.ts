import { isAtLeast } from '@saga-ai/types/words/versions';
import { SagaError } from '../../errors.ts';
import { recallVersion } from '../../files/program-version.ts';
import type { Agent } from '../agent.ts';
import { isModelVariable } from './account/credentials.ts';
import { listModelEndpoints } from './account/model-endpoints.ts';
import { PROJECT_FILES, readProjectSettings } from './account/project-settings.ts';
import { readAccountFor } from './account/read-account.ts';
import { takeBackConversations, takeBackLogin } from './account/take-back.ts';
import { askClaudeVersion, findClaude } from './claude.ts';
import { describeFeatures, OLDEST_CLIENT } from './client-features.ts';
import {
  describeClientFiles,
  describeClientScope,
  longOutputsFolder,
  PROTECTED_FILES,
} from './client-home.ts';
import { buildInvocation } from './client-invocation.ts';
import { guardWire } from './guard-wire.ts';
import { withoutOuterSession } from './outer-session.ts';
import { findRemedy } from './remedies.ts';
import { requireLogin } from './require-login.ts';
import { ClaudeStream } from './stream/stream.ts';
import { talkWire } from './stream/talk-wire.ts';
import { NEEDED_TOOLS } from './stream/translate.ts';
import { hydrate } from './tasklist/hydrate.ts';
import { reconcile } from './tasklist/reconcile.ts';

/** Claude Code, as SAGA uses it. */
export const claude: Agent = {
  find: findClaude,
  async describe(path, paths, env) {
    const ask = () => askClaudeVersion(path, paths.root, env);
    const version = await recallVersion(paths, path, ask);
    requireKnownVersion(path, version);
    return { path, version };
  },
  readAccount: (home, project) => readAccountFor(home, readProjectSettings(project)),
  projectFiles: PROJECT_FILES,
  requireLogin,
  invoke: buildInvocation,
  withoutOuterSession,
  isOwnVariable: isModelVariable,
  listEndpoints: listModelEndpoints,
  openStream: ({ version, earlierCostUsd }) =>
    new ClaudeStream(describeFeatures(version).addsUpCost ? earlierCostUsd : 0),
  talk: talkWire,
  findRemedy,
  tasks: { hydrate, reconcile },
  guard: guardWire,
  describeScope: ({ config }, worktree) => describeClientScope(config, worktree),
  protectedFiles: PROTECTED_FILES,
  describeFiles: describeClientFiles,
  takeBack({ config }, privateFolder, worktree) {
    takeBackLogin(config, privateFolder);
    const [from, to] = [privateFolder, config].map((it) => longOutputsFolder(it, worktree));
    takeBackConversations(from ?? '', to ?? '');
  },
  words: {
    listTasks: 'TaskList',
    showTask: 'TaskGet',
    updateTask: 'TaskUpdate',
    findTools: `If these tools are not offered directly, load them first: ToolSearch with the query "select:${NEEDED_TOOLS.join(',')}".`,
  },
};

function requireKnownVersion(path: string, version: string): void {
  if (isAtLeast(version, OLDEST_CLIENT)) return;
  throw new SagaError(
    'missing-program',
    `${path} is Claude Code ${version}; SAGA needs ${OLDEST_CLIENT} or later.`,
    'Update it: claude update, or npm install -g @anthropic-ai/claude-code',
  );
}
