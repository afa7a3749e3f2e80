import { join } from 'node:path';
import type { Confinement } from '../../scope/confinement.ts';
import type { AgentFiles, AgentHome, EnclosedRun } from '../agent.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The folder where the client keeps its own files: configuration, task lists, transcripts. */
export function findClientHome(env: Variables, homeFolder: string): string {
  return env.CLAUDE_CONFIG_DIR || join(homeFolder, '.claude');
}

/** The variable that names the task list of a session. */
export const LIST_VARIABLE = 'CLAUDE_CODE_TASK_LIST_ID';

/** The variable by which the client tells hooks where its session was started. */
export const PROJECT_VARIABLE = 'CLAUDE_PROJECT_DIR';

/** The folder where the client keeps plans and long outputs; it tells the model to read them. */
export function longOutputsFolder(clientHome: string, worktree: string): string {
  return join(clientHome, 'projects', worktree.replace(/[^a-zA-Z0-9]/g, '-'));
}

/** The part of a run's scope that depends on the client. */
export function describeClientScope(
  clientHome: string,
  worktree: string,
): Pick<Confinement, 'readable' | 'agent'> {
  return {
    readable: [longOutputsFolder(clientHome, worktree)],
    agent: { statusTool: 'TaskUpdate', refuse: refuseSettings },
  };
}

/** Refuses to write the client's settings: they can switch off its hooks, and with them the guard. */
function refuseSettings(parts: readonly string[]): string | undefined {
  const isSettings = parts.some(
    (part, index) => part === '.claude' && /^settings.*\.json$/.test(parts[index + 1] ?? ''),
  );
  return isSettings ? 'A run may not change the settings of Claude Code.' : undefined;
}

/** Conversations, history and task lists of the person's other sessions. */
const WITHHELD = [
  'projects',
  'tasks',
  'todos',
  'sessions',
  'history.jsonl',
  'file-history',
  'shell-snapshots',
  'paste-cache',
  'debug',
];

export function describeClientFiles(
  { config }: AgentHome,
  homeFolder: string,
  { listFolder, worktree, continues }: EnclosedRun,
): AgentFiles {
  return {
    folder: config,
    withheld: WITHHELD.map((name) => join(config, name)),
    copied: [
      join(config, '.credentials.json'),
      join(config, '.claude.json'),
      join(homeFolder, '.claude.json'),
    ],
    brought:
      continues === undefined
        ? []
        : [join(longOutputsFolder(config, worktree), `${continues}.jsonl`)],
    open: [listFolder],
    variables: { CLAUDE_CODE_TMPDIR: '/tmp' },
  };
}
