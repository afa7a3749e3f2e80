import { join } from 'node:path';
import type { Confinement } from '../../scope/confinement.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Where the client keeps what is its own: configuration, task lists, transcripts. */
export function findClientHome(env: Variables, homeFolder: string): string {
  return env.CLAUDE_CONFIG_DIR || join(homeFolder, '.claude');
}

/** The variable that names the task list of a session. */
export const LIST_VARIABLE = 'CLAUDE_CODE_TASK_LIST_ID';

/** The variable by which the client tells hooks where its session was started. */
export const PROJECT_VARIABLE = 'CLAUDE_PROJECT_DIR';

/** Where the client keeps plans and outputs that are too long to show; it tells the model to read them. */
export function longOutputsFolder(clientHome: string, worktree: string): string {
  return join(clientHome, 'projects', worktree.replace(/[^a-zA-Z0-9]/g, '-'));
}

/** What of the scope of a run depends on the client. */
export function describeClientScope(
  clientHome: string,
  worktree: string,
): Pick<Confinement, 'readable' | 'agent'> {
  return {
    readable: [longOutputsFolder(clientHome, worktree)],
    agent: { statusTool: 'TaskUpdate', refuse: refuseSettings },
  };
}

/** Settings of the client can switch its hooks off, and with them the guard. */
function refuseSettings(parts: readonly string[]): string | undefined {
  const isSettings = parts.some(
    (part, index) => part === '.claude' && /^settings.*\.json$/.test(parts[index + 1] ?? ''),
  );
  return isSettings ? 'The settings of Claude Code are not to be changed by a run.' : undefined;
}
