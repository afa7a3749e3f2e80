import { homedir, userInfo } from 'node:os';

/** The only place of this package that reads the process around it. */
export const environment = {
  variables: (): Readonly<Record<string, string | undefined>> => process.env,
  workingFolder: (): string => process.cwd(),
  editor: (): string => process.env.VISUAL || process.env.EDITOR || 'vi',
  noColour: (): boolean => Boolean(process.env.NO_COLOR),
  forceColour: (): boolean => Boolean(process.env.FORCE_COLOR),
  /** Where a session says its project is; used when the working folder has none. */
  projectFolder: (): string | undefined => process.env.SAGA_PROJECT_DIR || undefined,
  /** Claude Code's own folder. */
  claudeConfig: (): string =>
    process.env.CLAUDE_CONFIG_DIR || `${process.env.HOME ?? homedir()}/.claude`,
  taskListId: (): string | undefined => process.env.CLAUDE_CODE_TASK_LIST_ID || undefined,
  userName: (): string => process.env.SAGA_OWNER || process.env.USER || userInfo().username,
  callerPid: (): number => process.ppid,
  columns: (): number | undefined => Number(process.env.COLUMNS) || undefined,
};
