import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { availableParallelism, freemem, homedir, hostname, loadavg, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { findClientHome, LIST_VARIABLE } from '@saga-ai/core/agents/claude/client-home';
import { SagaError } from '@saga-ai/core/errors';
import { ENVIRONMENT_FILE_VARIABLE, RUN_VARIABLE } from '@saga-ai/core/processes/variables';
import { createStopSignal } from './stop-signal.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export interface Machine {
  processors: number;
  /** The number of programs that wanted a processor in the last minute, on average. */
  load: number;
  /** In bytes. */
  freeMemory: number;
}

/** The only module of this package that reads environment variables and other facts of the process. */
export const environment = {
  variables: (): Readonly<Record<string, string | undefined>> => process.env,
  workingFolder: (): string => process.cwd(),
  editor: (): string => process.env.VISUAL || process.env.EDITOR || 'vi',
  /** Like `editor`, but throws if there is none to be seen: vi needs a terminal. */
  requireEditor: (): string => {
    if (process.env.VISUAL || process.env.EDITOR || process.stdin.isTTY) {
      return environment.editor();
    }
    throw new SagaError(
      'usage',
      'An editor needs a terminal, and there is none here.',
      'Set EDITOR to a program that needs none, or write the file yourself and run saga check.',
    );
  },
  noColour: (): boolean => Boolean(process.env.NO_COLOR),
  forceColour: (): boolean => Boolean(process.env.FORCE_COLOR),
  /** Whether this process belongs to a run: the run's id is in its environment. */
  isInRun: (): boolean => Boolean(process.env[RUN_VARIABLE]),
  /** The project folder that a session names. It is used if the working folder is in no project. */
  projectFolder: (): string | undefined => process.env.SAGA_PROJECT_DIR || undefined,
  /** The configuration folder of Claude Code. */
  claudeConfig: (env: Variables = process.env): string =>
    findClientHome(env, env.HOME ?? homedir()),
  taskListId: (): string | undefined => process.env[LIST_VARIABLE] || undefined,
  hostName: (): string => hostname(),
  userName: (): string => process.env.SAGA_OWNER || process.env.USER || userInfo().username,
  /**
   * Returns the environment variables of the command that started this worker. Inside tmux the process
   * has the variables of the tmux server instead, so the right ones come in a file. The file is read
   * once and then removed.
   */
  handedOver: (): Variables => {
    const { [ENVIRONMENT_FILE_VARIABLE]: file, ...own } = process.env;
    if (!file) return own;
    const given = JSON.parse(readFileSync(file, 'utf8')) as Variables;
    rmSync(file, { force: true });
    delete process.env[ENVIRONMENT_FILE_VARIABLE];
    const { TMUX, TMUX_PANE, TERM } = own;
    return { ...given, TMUX, TMUX_PANE, TERM };
  },
  /** The words that start this command again: Node and the script. */
  program: (): string[] => [process.execPath, process.argv[1] ?? ''],
  /** The folder that contains this command's script. */
  programFolder: (): string => dirname(realpathSync(process.argv[1] ?? '')),
  userId: (): number | undefined => process.getuid?.(),
  /** See `createStopSignal`. */
  stopSignal: (): AbortSignal =>
    createStopSignal({
      on: (name, listener) => void process.on(name, listener),
      exit: (code) => process.exit(code),
      now: () => performance.now(),
    }),
  machine: (): Machine => ({
    processors: availableParallelism(),
    load: loadavg()[0] ?? 0,
    freeMemory: freemem(),
  }),
  callerPid: (): number => process.ppid,
  columns: (): number | undefined => Number(process.env.COLUMNS) || undefined,
};
