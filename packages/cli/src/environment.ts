import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { findClientHome, LIST_VARIABLE } from '@saga-ai/core/agents/claude/client-home';
import { createStopSignal } from './stop-signal.ts';

type Variables = Readonly<Record<string, string | undefined>>;

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
  claudeConfig: (env: Variables = process.env): string =>
    findClientHome(env, env.HOME ?? homedir()),
  taskListId: (): string | undefined => process.env[LIST_VARIABLE] || undefined,
  userName: (): string => process.env.SAGA_OWNER || process.env.USER || userInfo().username,
  /**
   * The variables of whoever asked for this worker. In a tmux session they come in a file, since the
   * process has those of the tmux server; the file is read once and removed.
   */
  handedOver: (): Variables => {
    const { SAGA_ENVIRONMENT_FILE: file, ...own } = process.env;
    if (!file) return own;
    const given = JSON.parse(readFileSync(file, 'utf8')) as Variables;
    rmSync(file, { force: true });
    delete process.env.SAGA_ENVIRONMENT_FILE;
    const { TMUX, TMUX_PANE, TERM } = own;
    return { ...given, TMUX, TMUX_PANE, TERM };
  },
  /** How this very command was started. */
  program: (): string[] => [process.execPath, process.argv[1] ?? ''],
  /** Where this very command lies. */
  programFolder: (): string => dirname(realpathSync(process.argv[1] ?? '')),
  userId: (): number | undefined => process.getuid?.(),
  /** See `createStopSignal`. */
  stopSignal: (): AbortSignal =>
    createStopSignal({
      on: (name, listener) => void process.on(name, listener),
      exit: (code) => process.exit(code),
      now: () => performance.now(),
    }),
  callerPid: (): number => process.ppid,
  columns: (): number | undefined => Number(process.env.COLUMNS) || undefined,
};
