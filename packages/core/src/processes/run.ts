import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { errorCodeOf, messageOf, SagaError } from '../errors.ts';
import { LineSplitter } from '../files/lines.ts';
import { armDeadline } from './deadline.ts';

/** The variables a program is started with; ours are handed down, never read here. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface RunOptions {
  cwd: string;
  env: Environment;
  input?: string;
  timeoutMs?: number;
  /** Aborted, the program is ended; aborted before, it is not started. */
  stop?: AbortSignal;
  /** Only the end of a longer output is kept. */
  maxOutput?: number;
  /** Ends the program when this process ends before it, however that happens. */
  lifeline?: Lifeline;
}

/** What ties programs to the life of a worker (lifeline.ts). */
export interface Lifeline {
  /** For the environment of the program: all that it starts can be found by them. */
  readonly variables: Readonly<Record<string, string>>;
  /** From now on the process group of this number ends with the worker. */
  hold(pid: number): void;
  /** The group has ended: its number may soon be somebody else's. */
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
  /** The output was longer than `maxOutput`, so its front is missing. */
  isCut: boolean;
}

const MAX_OUTPUT = 64 * 1024 * 1024;

/** Runs a program to its end. How it ended is returned; only one that cannot start is an error. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, input = '', timeoutMs, stop, maxOutput = MAX_OUTPUT, lifeline }: RunOptions,
): Promise<ProgramResult> {
  if (stop?.aborted) return NOT_STARTED;
  const stdout = new Tail(maxOutput);
  const stderr = new Tail(maxOutput);
  const child = startPiped(program, args, { cwd, env, input, ...(lifeline ? { lifeline } : {}) });
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

/** Waits for a short answer of a program of the system; an empty one if it cannot be had. */
export function askProgram(
  program: string,
  args: readonly string[],
  env: Environment = {},
): string {
  // Only its own variables and the usual places: what it prints must not depend on whose shell this is.
  const usual = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', ...env };
  const options = { env: usual, encoding: 'utf8', timeout: ASK_MS, maxBuffer: MAX_OUTPUT } as const;
  return spawnSync(program, args, options).stdout ?? '';
}

const ASK_MS = 5000;

export interface StartedProgram {
  pid: number;
  ended: Promise<Ended & { stderr: string }>;
  hasEnded(): boolean;
  /** To the program alone. */
  signal(signal: NodeJS.Signals): void;
  /** To the program and all that stayed in its process group. */
  signalGroup(signal: NodeJS.Signals): void;
}

/** Starts a program that talks in lines; each is handed over as it comes. */
export function startProgram(
  program: string,
  args: readonly string[],
  options: Pick<RunOptions, 'cwd' | 'env' | 'input' | 'lifeline'>,
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
    signal: (signal) => void child.kill(signal),
    signalGroup: (signal) => killGroup(child, signal),
  };
}

/** In a process group of its own, so that it can be ended with all that stayed in there. */
function startPiped(
  program: string,
  args: readonly string[],
  { cwd, env, input = '', lifeline }: Pick<RunOptions, 'cwd' | 'env' | 'input' | 'lifeline'>,
) {
  const child = spawn(program, args, {
    cwd,
    env: { ...env, ...lifeline?.variables },
    detached: true,
  });
  const { pid } = child;
  if (lifeline && pid !== undefined) {
    lifeline.hold(pid);
    child.on('exit', () => lifeline.release(pid));
  }
  child.stdin.on('error', ignoreClosedPipe);
  child.stdin.end(input);
  return child;
}

/** A program in a session of its own that reads lines from us, is not waited for, and may outlive us. */
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
    // It cannot be started: whoever listens is a second guard, and the first does its work without.
  });
  child.stdin.on('error', ignoreClosedPipe);
  child.unref();
  // A pipe is a socket here; it must not keep us alive either.
  (child.stdin as unknown as { unref?: () => void }).unref?.();
  return { tell: (line) => void child.stdin.write(`${line}\n`) };
}

/** Runs a program that talks to the person at the terminal. */
export async function runInteractive(commandLine: string, args: string[]): Promise<void> {
  // $EDITOR may carry arguments of its own, such as "code --wait"; it never passes a shell.
  const [program = '', ...lead] = commandLine.split(/\s+/).filter(Boolean);
  const child = spawn(program, [...lead, ...args], { stdio: 'inherit' });
  let ended: Ended;
  try {
    ended = await waitFor(program, child);
  } catch (cause) {
    throw new SagaError(
      'edit-refused',
      `${program} cannot be started (${messageOf(cause instanceof Error ? (cause.cause ?? cause) : cause)}).`,
      'Set EDITOR to an editor that is installed.',
      { cause },
    );
  }
  if (ended.code === 0) return;
  throw new SagaError(
    'edit-refused',
    `${program} ended with code ${ended.code}.`,
    'Nothing was saved.',
  );
}

/** Gives the terminal to a program, such as `tmux attach`, and says how it ended. */
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
 * What a program left running may hold its output open for ever, and Node would wait for that. Once
 * the program has ended, its output is read until nothing more comes for a moment.
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
      // After a timer Node reads what has come meanwhile: if we were busy, that is all there is.
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
      ? `${program} is not there, or the folder to run it in is not.`
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

/** A program that ends before it has read its input closes the pipe; its exit code tells the story. */
function ignoreClosedPipe(): void {}

function splitLines({ stdout }: ChildProcess, onLine: (line: string) => void): void {
  const splitter = new LineSplitter();
  stdout?.on('data', (chunk: Buffer) => {
    for (const line of splitter.add(chunk)) onLine(line);
  });
  // Not `end`: an output that somebody else still holds has none.
  stdout?.on('close', () => {
    const rest = splitter.rest();
    if (rest !== '') onLine(rest);
  });
}

/** The end of an output that may be endless. */
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
