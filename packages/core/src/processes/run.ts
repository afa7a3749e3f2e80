import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  spawn,
  spawnSync,
} from 'node:child_process';
import { errorCodeOf, messageOf, SagaError } from '../errors.ts';
import { LineSplitter } from '../files/lines.ts';
import { armDeadline } from './deadline.ts';

/** The environment of a program. The caller passes it in; this room never reads that of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface RunOptions {
  cwd: string;
  env: Environment;
  input?: string;
  timeoutMs?: number;
  /** When aborted, the program is ended. If aborted before the start, the program is not started. */
  stop?: AbortSignal;
  /** If the output is longer than this, only its end is kept. */
  maxOutput?: number;
  /** Ends the program if this process ends first, even by SIGKILL. */
  lifeline?: Lifeline;
  /** Talks to the program over Node's channel, which is its descriptor 3. */
  converse?(channel: Channel): void;
}

/** Node's channel to a program. Listening sockets can be passed over it. */
export type Channel = Pick<ChildProcess, 'on' | 'send'>;

/** Ends programs when their worker ends (lifeline.ts). */
export interface Lifeline {
  /** Add these to a program's environment, so that every process it starts can be found. */
  readonly variables: Readonly<Record<string, string>>;
  /** From now on, the process group `pid` is ended when the worker ends. */
  hold(pid: number): void;
  /** Forgets a group that has ended: its number may soon belong to another process. */
  release(pid: number): void;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ProgramResult extends Ended {
  stdout: string;
  stderr: string;
  timedOut: boolean;
  wasStopped: boolean;
  /** True if the output was longer than `maxOutput`, so its beginning is missing. */
  isCut: boolean;
}

const MAX_OUTPUT = 64 * 1024 * 1024;

/** Runs a program to its end and returns how it ended. Throws only if the program cannot be started. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, input = '', timeoutMs, stop, maxOutput = MAX_OUTPUT, lifeline }: RunOptions,
): Promise<ProgramResult> {
  if (stop?.aborted) return NOT_STARTED;
  const stdout = new Tail(maxOutput);
  const stderr = new Tail(maxOutput);
  const child = startPiped(program, args, { cwd, env, input, lifeline });
  child.stdout.on('data', (chunk: Buffer) => stdout.add(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  let timedOut = false;
  let wasStopped = false;
  const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeoutMs;
  using _armed = armDeadline(deadline, stop, (cause) => {
    timedOut = cause === 'time';
    wasStopped = cause === 'stop';
    killGroup(child, 'SIGKILL');
  });
  const ended = await waitFor(program, child);
  const isCut = stdout.isCut || stderr.isCut;
  return { ...ended, stdout: stdout.text(), stderr: stderr.text(), timedOut, wasStopped, isCut };
}

const NOT_STARTED: ProgramResult = {
  code: null,
  signal: null,
  stdout: '',
  stderr: '',
  timedOut: false,
  wasStopped: true,
  isCut: false,
};

/** Runs a system program and returns its short output, or an empty text if it fails. */
export function askProgram(
  program: string,
  args: readonly string[],
  env: Environment = {},
): string {
  // A fixed environment: the output must not depend on the user's shell.
  const usual = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', ...env };
  const options = { env: usual, encoding: 'utf8', timeout: ASK_MS, maxBuffer: MAX_OUTPUT } as const;
  return spawnSync(program, args, options).stdout ?? '';
}

const ASK_MS = 5000;

export interface StartedProgram {
  pid: number;
  ended: Promise<Ended & { stderr: string }>;
  hasEnded(): boolean;
  /** Writes to the program's input, if that was left open. */
  write(text: string): void;
  closeInput(): void;
  /** Signals only the program itself. */
  signal(signal: NodeJS.Signals): void;
  /** Signals the program and every process in its group. */
  signalGroup(signal: NodeJS.Signals): void;
}

/** Starts a program and passes on each line of its output as it arrives. */
export function startProgram(
  program: string,
  args: readonly string[],
  options: StartOptions,
  onLine: (line: string) => void,
): StartedProgram {
  const child = startPiped(program, args, options);
  const stderr = new Tail(64 * 1024);
  splitLines(child, onLine);
  child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  return {
    pid: child.pid ?? 0,
    ended: waitFor(program, child).then((ended) => ({ ...ended, stderr: stderr.text() })),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null || !child.pid,
    write: (text) => void child.stdin.write(text),
    closeInput: () => void child.stdin.end(),
    signal: (signal) => void child.kill(signal),
    signalGroup: (signal) => killGroup(child, signal),
  };
}

interface StartOptions extends Pick<RunOptions, 'cwd' | 'env' | 'input' | 'lifeline' | 'converse'> {
  /** True if the program's input stays open after `input`. */
  isOpen?: boolean;
}

/** Starts the program in its own process group, so that it can be ended with its children. */
function startPiped(
  program: string,
  args: readonly string[],
  { cwd, env, input = '', lifeline, converse, isOpen = false }: StartOptions,
) {
  const child = spawn(program, args, {
    cwd,
    env: { ...env, ...lifeline?.variables },
    detached: true,
    stdio: converse ? ['pipe', 'pipe', 'pipe', 'ipc'] : 'pipe',
  }) as ChildProcessWithoutNullStreams;
  converse?.(child);
  const { pid } = child;
  if (lifeline && pid !== undefined) {
    lifeline.hold(pid);
    child.on('exit', () => lifeline.release(pid));
  }
  child.stdin.on('error', ignoreClosedPipe);
  if (isOpen) child.stdin.write(input);
  else child.stdin.end(input);
  return child;
}

/**
 * A program in its own session that reads lines from this process. This process does not wait for it,
 * and it may outlive this process.
 */
export interface Listener {
  tell(line: string): void;
}

export function startListener(program: string, args: readonly string[]): Listener {
  const child = spawn(program, args, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => {
    // The program cannot be started. It is only a second safeguard, so the work continues without it.
  });
  child.stdin.on('error', ignoreClosedPipe);
  child.unref();
  // The pipe is a socket in Node; it must not keep this process alive either.
  (child.stdin as unknown as { unref?: () => void }).unref?.();
  return { tell: (line) => void child.stdin.write(`${line}\n`) };
}

/**
 * Runs an interactive program in the terminal, such as an editor. The command line must be the person's own setting,
 * because a shell may read it.
 */
export async function runInteractive(commandLine: string, args: string[]): Promise<void> {
  const { program, lead, name } = readCommandLine(commandLine);
  const child = spawn(program, [...lead, ...args], { stdio: 'inherit' });
  let ended: Ended;
  try {
    ended = await waitFor(program, child);
  } catch (cause) {
    throw notStarted(
      name,
      messageOf(cause instanceof Error ? (cause.cause ?? cause) : cause),
      cause,
    );
  }
  if (ended.code === 0) return;
  const isFound = program !== SHELL || (ended.code !== 126 && ended.code !== 127);
  if (!isFound) throw notStarted(name, `exit code ${ended.code}`);
  throw new SagaError(
    'edit-refused',
    `${name} ended with code ${ended.code}.`,
    'Nothing was saved.',
  );
}

const SHELL = 'sh';

/** Characters that mean something to a shell. git passes an editor to the shell if it finds one of them. */
const SHELL_CHARACTERS = /[|&;<>()$`\\"'*?[#~=]/;

/**
 * Reads a command line such as $EDITOR as git does. One with quotes or other characters of the shell is read by the
 * shell; one such as "code --wait" is split at its blanks. Arguments that follow are never read by the shell.
 */
function readCommandLine(commandLine: string): { program: string; lead: string[]; name: string } {
  if (SHELL_CHARACTERS.test(commandLine)) {
    const lead = ['-c', `${commandLine} "$@"`, commandLine];
    return { program: SHELL, lead, name: commandLine };
  }
  const [program = '', ...lead] = commandLine.split(/\s+/).filter(Boolean);
  return { program, lead, name: program };
}

function notStarted(name: string, why: string, cause?: unknown): SagaError {
  return new SagaError(
    'edit-refused',
    `${name} cannot be started (${why}).`,
    'Set EDITOR to an editor that is installed.',
    { cause },
  );
}

/** Hands the terminal over to a program, such as `tmux attach`, and returns how it ended. */
export function runInTerminal(
  program: string,
  args: readonly string[],
  env: Environment,
): Promise<Ended> {
  return waitFor(program, spawn(program, args, { stdio: 'inherit', env: { ...env } }));
}

function waitFor(program: string, child: ChildProcess): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(missingProgram(program, cause)));
    child.on('exit', () => letGoOfOutput(child));
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
}

const QUIET_MS = 200;
const LONGEST_QUIET_MS = 2000;

/**
 * A process that the program left running may keep its output open forever, and Node would wait for
 * that. So after the program has ended, its output is read until nothing arrives for a moment.
 */
function letGoOfOutput(child: ChildProcess): void {
  const streams = [child.stdout, child.stderr].filter((it) => it !== null);
  const last = Date.now() + LONGEST_QUIET_MS;
  let wasHeard = false;
  let timer: NodeJS.Timeout;
  for (const stream of streams) {
    stream.on('data', () => {
      wasHeard = true;
    });
  }
  const listen = () => {
    wasHeard = false;
    timer = setTimeout(() => {
      // After a timer, Node first reads what has arrived: if this process was busy, that is everything.
      setImmediate(() => {
        if (wasHeard && Date.now() < last) listen();
        else for (const stream of streams) stream.destroy();
      });
    }, QUIET_MS);
  };
  listen();
  child.on('close', () => clearTimeout(timer));
}

function missingProgram(program: string, cause: Error): SagaError {
  const isMissing = errorCodeOf(cause) === 'ENOENT';
  return new SagaError(
    'missing-program',
    isMissing
      ? `${program} was not found, or the folder to run it in does not exist.`
      : `${program} cannot be started (${messageOf(cause)}).`,
    `Install ${program}, or check PATH.`,
    { cause },
  );
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group has ended already.
  }
}

/**
 * A program that ends before it has read its input closes the pipe. Its exit code says what happened,
 * so this error is ignored.
 */
function ignoreClosedPipe(): void {}

function splitLines({ stdout }: ChildProcess, onLine: (line: string) => void): void {
  const splitter = new LineSplitter();
  stdout?.on('data', (chunk: Buffer) => {
    for (const line of splitter.add(chunk)) onLine(line);
  });
  // This waits for `close` instead of `end`, which never comes while another process keeps the output open.
  stdout?.on('close', () => {
    const rest = splitter.rest();
    if (rest !== '') onLine(rest);
  });
}

/** Keeps only the end of an output of any length. */
class Tail {
  private readonly limit: number;
  private chunks: Buffer[] = [];
  private size = 0;
  isCut = false;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
    while (this.size - (this.chunks[0]?.length ?? 0) >= this.limit) {
      this.size -= this.chunks.shift()?.length ?? 0;
      this.isCut = true;
    }
  }

  text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}
