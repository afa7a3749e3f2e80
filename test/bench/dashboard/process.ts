import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

/** A running `saga dashboard`, as a person starts it. */
export interface DashboardProcess extends AsyncDisposable {
  port: number;
  /** The address with the token. */
  url: string;
  token: string;
  /** Milliseconds from its start to the answer of the first request. */
  firstAnswer: number;
  /** Of these, milliseconds of processor time of the main thread. */
  firstAnswerCpu: number;
  ask(path: string): Promise<string>;
  /** Megabytes resident now. */
  memory(): number;
  /** Megabytes resident at the most. */
  peak(): number;
  /** Once everything was compared with the files, and changes are noticed. */
  isVerified(): Promise<void>;
}

const agent = new Agent({ keepAlive: true });

export async function startDashboardProcess(
  saga: string,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<DashboardProcess> {
  const start = performance.now();
  const args = [saga, 'dashboard', '--port', '0', '--json'];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { port, url } = await readAddress(child);
  const token = new URL(url).searchParams.get('token') ?? '';
  const ask = (path: string) => askPort(port, path, token);
  await ask('/api/home');
  const firstAnswer = performance.now() - start;
  const firstAnswerCpu = readCpu(child);
  return {
    port,
    url,
    token,
    firstAnswer,
    firstAnswerCpu,
    ask,
    memory: () => readMegabytes(child, 'VmRSS'),
    peak: () => readMegabytes(child, 'VmHWM'),
    async isVerified() {
      while (!JSON.parse(await ask('/api/home')).isVerified) await pause(20);
      // The watch follows the comparison; there is nothing to ask for it.
      await pause(1000);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT');
      await once(child, 'close');
    },
  };
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function askPort(port: number, path: string, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-saga-token': token };
    get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`${path}: ${text}`)),
      );
    }).on('error', reject);
  });
}

async function readAddress(child: ChildProcess): Promise<{ port: number; url: string }> {
  let text = '';
  for await (const part of child.stdout ?? []) {
    text += part;
    const url = /"url": "([^"]+)"/.exec(text)?.[1];
    const port = /"port": (\d+)/.exec(text)?.[1];
    if (port === undefined || url === undefined) continue;
    child.stdout?.resume();
    return { port: Number(port), url };
  }
  throw new Error(`saga dashboard did not start: ${text}`);
}

function readMegabytes({ pid }: ChildProcess, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
}

function readCpu({ pid }: ChildProcess): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}
