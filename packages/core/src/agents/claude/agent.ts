import { isAtLeast } from '@saga-ai/types/words/versions';
import { SagaError } from '../../errors.ts';
import { recallVersion } from '../../files/program-version.ts';
import type { Agent } from '../agent.ts';
import { isModelVariable } from './account/credentials.ts';
import { listModelEndpoints } from './account/model-endpoints.ts';
import { listProjectPrograms } from './account/project-programs.ts';
import { readProjectSettings } from './account/project-settings.ts';
import { readAccountFor } from './account/read-account.ts';
import { takeBackConversations, takeBackLogin } from './account/take-back.ts';
import { ask } from './ask.ts';
import { askClaudeVersion, findClaude } from './claude.ts';
import { OLDEST_CLIENT, TESTED_CLIENTS } from './client-features.ts';
import {
  describeClientFiles,
  describeClientScope,
  findClientHome,
  longOutputsFolder,
} from './client-home.ts';
import { buildInvocation } from './client-invocation.ts';
import { guardWire } from './guard-wire.ts';
import { PROTECTED_FILES } from './instructions/names.ts';
import { listImports } from './instructions/read-instructions.ts';
import { readProject } from './instructions/read-project.ts';
import { openStream } from './open-stream.ts';
import { withoutOuterSession } from './outer-session.ts';
import { findRemedy, MODEL_NOT_ASKED, TRY_BY_HAND } from './remedies.ts';
import { requireLogin } from './require-login.ts';
import { PLACE_VARIABLES, stageEnvironment, stageVariables } from './stage-environment.ts';
import { talkWire } from './stream/talk-wire.ts';
import { NEEDED_TOOLS } from './stream/translate.ts';
import { hydrate } from './tasklist/hydrate.ts';
import { reconcile } from './tasklist/reconcile.ts';
import { tasksFolder } from './tasklist/task-list-folder.ts';

const UPDATE = 'claude update';

/** Claude Code, as SAGA uses it. */
export const claude: Agent = {
  find: findClaude,
  async describe(path, paths, env, { isFresh } = { isFresh: false }) {
    const askVersion = () => askClaudeVersion(path, paths.root, env);
    const version = isFresh ? await askVersion() : await recallVersion(paths, path, askVersion);
    requireKnownVersion(path, version);
    return { path, version };
  },
  versions: { oldest: OLDEST_CLIENT, tested: TESTED_CLIENTS },
  findHome: (env, homeFolder) => ({ config: findClientHome(env, homeFolder) }),
  readAccount: (home, project) => readAccountFor(home, readProjectSettings(project)),
  readProject,
  listProjectPrograms,
  requireLogin,
  invoke: buildInvocation,
  withoutOuterSession,
  stage: {
    buildEnvironment: stageEnvironment,
    buildVariables: stageVariables,
    placeVariables: PLACE_VARIABLES,
  },
  isOwnVariable: isModelVariable,
  listEndpoints: listModelEndpoints,
  openStream,
  ask,
  talk: talkWire,
  findRemedy,
  tasks: { findFolder: tasksFolder, hydrate, reconcile },
  guard: guardWire,
  describeScope: ({ config }, worktree) => describeClientScope(config, worktree),
  protectedFiles: PROTECTED_FILES,
  listImports,
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
    commitRule: 'Bash(git commit:*)',
    modelNotAsked: MODEL_NOT_ASKED,
    update: UPDATE,
    tryByHand: TRY_BY_HAND,
  },
};

function requireKnownVersion(path: string, version: string): void {
  if (isAtLeast(version, OLDEST_CLIENT)) return;
  throw new SagaError(
    'missing-program',
    `${path} is Claude Code ${version}; SAGA needs ${OLDEST_CLIENT} or later.`,
    `Update it: ${UPDATE}, or npm install -g @anthropic-ai/claude-code`,
  );
}
