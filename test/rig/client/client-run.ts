import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Client } from './client.ts';

/** One line of the client's stream-json output, read loosely: each test knows what it looks for. */
// biome-ignore lint/suspicious/noExplicitAny: events are foreign, and tests look into them freely
export type ClientEvent = Record<string, any>;

export interface ClientRun {
  code: number | null;
  signal: NodeJS.Signals | null;
  events: ClientEvent[];
  /** The first init event. */
  init: ClientEvent | undefined;
  /** The last result event. */
  result: ClientEvent | undefined;
  stdout: string;
  stderr: string;
  ms: number;
}

export interface RunningClient {
  child: ChildProcess;
  /** Resolves with the first event that fits. Rejects if the client ends before that. */
  seen(fits: (event: ClientEvent) => boolean): Promise<ClientEvent>;
  ended: Promise<ClientRun>;
  /** Sends a message. Only for a conversation that is open. */
  say(text: string): void;
  /** Sends a control request. Only for a conversation that is open. */
  request(id: string, subtype: string): void;
  /** Closes standard input. */
  close(): void;
}

export interface StartOptions {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** The prompt, which is sent on standard input. The input is then closed. */
  prompt: string;
  /** True if standard input stays open. The prompt is then the first message of a conversation. */
  isOpen?: boolean;
}

export function startClient(client: Client, options: StartOptions): RunningClient {
  const { args, cwd, env, prompt } = options;
  const start = performance.now();
  const child = spawn(client.program, [...client.lead, ...args], { cwd, env, detached: true });
  const events: ClientEvent[] = [];
  const waiting: { fits: (event: ClientEvent) => boolean; found: (event: ClientEvent) => void }[] =
    [];
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    stdout += `${line}\n`;
    const event = parseEvent(line);
    if (!event) return;
    events.push(event);
    for (const { fits, found } of waiting) if (fits(event)) found(event);
  });
  child.stdin.on('error', () => {
    // A client that refuses its arguments closes its input before it has read the prompt.
  });
  if (options.isOpen) child.stdin.write(formatMessage(prompt));
  else child.stdin.end(prompt);
  const ended = new Promise<ClientRun>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({
        code,
        signal,
        events,
        init: events.find((it) => it.type === 'system' && it.subtype === 'init'),
        result: events.findLast((it) => it.type === 'result'),
        stdout,
        stderr,
        ms: performance.now() - start,
      }),
    );
  });
  const seen = (fits: (event: ClientEvent) => boolean) => {
    const known = events.find(fits);
    if (known) return Promise.resolve(known);
    return Promise.race([
      new Promise<ClientEvent>((found) => waiting.push({ fits, found })),
      ended.then((run) => {
        throw new Error(`The client ended (code ${run.code}) before the event.\n${run.stderr}`);
      }),
    ]);
  };
  return {
    child,
    seen,
    ended,
    say: (text) => void child.stdin.write(formatMessage(text)),
    request: (id, subtype) => {
      const request = { type: 'control_request', request_id: id, request: { subtype } };
      child.stdin.write(`${JSON.stringify(request)}\n`);
    },
    close: () => void child.stdin.end(),
  };
}

const formatMessage = (content: string) =>
  `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;

function parseEvent(line: string): ClientEvent | undefined {
  try {
    return JSON.parse(line);
  } catch {
    // Usage errors and the like are plain text; they are kept in stdout.
    return undefined;
  }
}
