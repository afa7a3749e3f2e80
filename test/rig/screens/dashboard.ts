import { request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Dashboard,
  type DashboardOptions,
  startDashboard,
} from '@saga-ai/dashboard/server/start-dashboard';
import type { ChangeEvent } from '@saga-ai/types/screens/dashboard';
import { OWN_PROJECT, SAGA } from '../programs/run-program.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The real server on a free port, and functions that send requests to it. */
export interface TestDashboard extends AsyncDisposable {
  dashboard: Dashboard;
  /** Sends a request as a page does, with the token. The path is sent unchanged, including dots. */
  ask(path: string, asked?: Asked): Promise<Answer>;
  json<T>(path: string): Promise<T>;
  /** Sends a request without the token. */
  askBare(path: string, asked?: Asked): Promise<Answer>;
  act(path: string, body?: unknown): Promise<Answer>;
  events(after?: number): Promise<EventReader>;
}

export async function openDashboard(
  options: Pick<DashboardOptions, 'paths'> & Partial<DashboardOptions>,
): Promise<TestDashboard> {
  const dashboard = await startDashboard({
    port: 0,
    // A server that comes back has the same token.
    env: {
      ...{ PATH: process.env.PATH, ...OWN_PROJECT },
      XDG_STATE_HOME: join(options.paths.repository, 'state'),
    },
    program: [process.execPath, SAGA],
    userId: process.getuid?.(),
    clientFolder: join(options.paths.root, 'no-client'),
    ...options,
  });
  const { port, token } = dashboard;
  const shown = { 'x-saga-token': token };
  const ask: TestDashboard['ask'] = (path, asked = {}) =>
    askServer(port, path, { ...asked, headers: { ...shown, ...asked.headers } });
  return {
    dashboard,
    ask,
    askBare: (path, asked) => askServer(port, path, asked),
    async json<T>(path: string) {
      const { status, text } = await ask(path);
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      return JSON.parse(text) as T;
    },
    act: (path, body) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: body ?? {},
      }),
    events: (after) => readEvents(port, after, shown),
    [Symbol.asyncDispose]: () => dashboard.close(),
  };
}

export function askServer(port: number, path: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body } = asked;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const isSized = text === '' || 'transfer-encoding' in headers;
    const sized = isSized ? headers : { 'content-length': Buffer.byteLength(text), ...headers };
    const request = sendRequest(
      { host: '127.0.0.1', port, path, method, headers: sized, agent: false },
      (response) => {
        let got = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          got += part;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string>,
            text: got,
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}

export interface ReadEvent {
  id: string;
  event: string;
  data: ChangeEvent;
  at: number;
}

export interface EventReader {
  got: ReadEvent[];
  /** Ids of all stories named so far. */
  stories(): string[];
  until(check: (got: ReadEvent[]) => boolean, ms?: number): Promise<void>;
  /** Resolves once the server has ended the stream. */
  ended: Promise<void>;
  leave(): void;
}

/** Reads the stream as a browser does. */
export function readEvents(
  port: number,
  after?: number,
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const got: ReadEvent[] = [];
  const resumed = after === undefined ? {} : { 'last-event-id': String(after) };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/api/events', agent: false };
    const request = sendRequest({ ...options, headers: { ...resumed, ...headers } }, (response) => {
      let rest = '';
      const ended = new Promise<void>((over) => response.on('close', over));
      response.setEncoding('utf8').on('data', (part: string) => {
        const blocks = (rest + part).split('\n\n');
        rest = blocks.pop() ?? '';
        got.push(...blocks.flatMap(parseBlock));
      });
      response.on('error', () => {});
      resolve({
        got,
        ended,
        stories: () => got.flatMap(({ data }) => data.stories ?? []),
        leave: () => request.destroy(),
        async until(check, ms = 60_000) {
          for (const end = Date.now() + ms; Date.now() < end; await sleep(5)) {
            if (check(got)) return;
          }
          throw new Error(`It did not come: ${JSON.stringify(got)}`);
        },
      });
    });
    request.on('error', reject);
    request.end();
  });
}

function parseBlock(block: string): ReadEvent[] {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const data = field('data');
  if (data === undefined) return [];
  const at = performance.now();
  return [{ id: field('id') ?? '', event: field('event') ?? '', data: JSON.parse(data), at }];
}
