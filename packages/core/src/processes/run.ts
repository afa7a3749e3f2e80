import { type ChildProcess, spawn } from 'node:child_process';
import { errorCodeOf, messageOf, SagaError } from '../errors.ts';
import { LineSplitter } from '../files/lines.ts';

/** The variables a program is started with; ours are handed down, never read here. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface RunOptions {
  cwd: string;
  env: Environment;
  input?: string;
  timeoutMs?: number;
  /** Aborted, the program is ended. */
  stop?: AbortSignal;
  /** Only the end of a longer output is kept. */
  maxOutput?: number;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ProgramResult extends Ended {
  stdout: string;
  stderr: string;
  timedOut: boolean;
}

const MAX_OUTPUT = 64 * 1024 * 1024;

/** Runs a program to its end. How it ended is returned; only one that cannot start is an error. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, input = '', timeoutMs, stop, maxOutput = MAX_OUTPUT }: RunOptions,
): Promise<ProgramResult> {
  const stdout = new Tail(maxOutput);
  const stderr = new Tail(maxOutput);
  const child = spawn(program, args, { cwd, env: { ...env }, detached: true });
  child.stdout.on('data', (chunk: Buffer) => stdout.add(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  child.stdin.on('error', ignoreClosedPipe);
  child.stdin.end(input);
  let timedOut = false;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          killGroup(child, 'SIGKILL');
        }, timeoutMs);
  const onStop = () => killGroup(child, 'SIGKILL');
  stop?.addEventListener('abort', onStop);
  try {
    const ended = await waitFor(program, child);
    return { ...ended, stdout: stdout.text(), stderr: stderr.text(), timedOut };
  } finally {
    stop?.removeEventListener('abort', onStop);
    clearTimeout(timer);
  }
}

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
  { cwd, env, input = '' }: RunOptions,
  onLine: (line: string) => void,
): StartedProgram {
  const child = spawn(program, args, { cwd, env: { ...env }, detached: true });
  const stderr = new Tail(64 * 1024);
  splitLines(child, onLine);
  child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  child.stdin.on('error', ignoreClosedPipe);
  child.stdin.end(input);
  return {
    pid: child.pid ?? 0,
    ended: waitFor(program, child).then((ended) => ({ ...ended, stderr: stderr.text() })),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null || !child.pid,
    signal: (signal) => void child.kill(signal),
    signalGroup: (signal) => killGroup(child, signal),
  };
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
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
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
  stdout?.on('end', () => {
    const rest = splitter.rest();
    if (rest !== '') onLine(rest);
  });
}

/** The end of an output that may be endless. */
class Tail {
  private readonly limit: number;
  private chunks: Buffer[] = [];
  private size = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
    while (this.size - (this.chunks[0]?.length ?? 0) >= this.limit) {
      this.size -= this.chunks.shift()?.length ?? 0;
    }
  }

  text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}
