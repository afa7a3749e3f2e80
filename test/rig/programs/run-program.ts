import { type SpawnOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions extends Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> {
  /** The standard input. If undefined, the input is empty and closed. */
  input?: string;
  /** Milliseconds until the input comes. */
  inputAfter?: number;
  env?: Record<string, string>;
  /** A program that takes longer is killed, and ends with code null. */
  timeout?: number;
}

export interface ProgramOptions extends RunOptions {
  /** Modules that are loaded into the program. */
  imports?: readonly string[];
}

/** The command that people install. */
export const SAGA = fileURLToPath(new URL('../../../packages/cli/dist/saga.cjs', import.meta.url));

/** The projects of the tests are trusted, so no command asks for trust. */
export const OWN_PROJECT = { SAGA_TRUST: '1' };

/** The folder for what many tests begin with; see `copyPrepared`. */
export const PREPARED = 'SAGA_TEST_PREPARED';

/** Set by `npm run coverage`: every Node program that a test starts notes there what it ran. */
const { SAGA_COVERAGE } = process.env;
const COUNTED: Record<string, string> =
  SAGA_COVERAGE === undefined
    ? {}
    : { NODE_V8_COVERAGE: SAGA_COVERAGE, NODE_DISABLE_COMPILE_CACHE: '1' };

/** The variables that a program needs, without SAGA_*, CLAUDE_* and NODE_* of the session around the tests. */
export const PLAIN_ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  LANG: 'C.UTF-8',
  ...OWN_PROJECT,
  ...COUNTED,
};

/** Runs a Node program to its end. */
export function runProgram(
  file: string,
  args: string[],
  { imports = [], ...options }: ProgramOptions = {},
): Promise<Ended> {
  const lead = imports.flatMap((path) => ['--import', path]);
  return runCommand(process.execPath, [...lead, file, ...args], options);
}

/** Runs any program to its end. */
export function runCommand(
  program: string,
  args: string[],
  options: RunOptions = {},
): Promise<Ended> {
  const { input = '', inputAfter, env, timeout = 600_000, ...rest } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...rest,
      timeout,
      killSignal: 'SIGKILL',
      env: { ...PLAIN_ENVIRONMENT, ...env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    // A command that fails before it reads closes its input. That is no fault of the test.
    child.stdin.on('error', () => {});
    if (inputAfter === undefined) child.stdin.end(input);
    else setTimeout(() => child.stdin.end(input), inputAfter);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
