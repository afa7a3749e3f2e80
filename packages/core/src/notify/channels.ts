import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { join } from 'node:path';
import type { NotifySettings } from '@saga-ai/types/notify-settings';
import type { Delivery, News, NotifyChannel } from '@saga-ai/types/run/news';
import { messageOf } from '../errors.ts';
import { findOnPath } from '../processes/find-program.ts';
import { type Environment, type Lifeline, runProgram } from '../processes/run.ts';

export interface NewsContext {
  /** The folder of the project; programs are started there. */
  root: string;
  env: Environment;
  lifeline?: Lifeline | undefined;
  /** The terminal whose bell is rung. */
  terminal?: string;
}

/** Tells a person the news in every way that the settings name, at the same time. Never throws. */
export function deliver(
  news: News,
  settings: NotifySettings,
  around: NewsContext,
): Promise<Delivery[]> {
  return Promise.all(
    listChannels(settings).map(async (by): Promise<Delivery> => {
      try {
        await CHANNELS[by](news, settings, around);
        return { by };
      } catch (error) {
        return { by, failure: messageOf(error) };
      }
    }),
  );
}

export function listChannels({ command, webhook, desktop, bell }: NotifySettings): NotifyChannel[] {
  return [
    ...(command ? (['command'] as const) : []),
    ...(webhook ? (['webhook'] as const) : []),
    ...(desktop ? (['desktop'] as const) : []),
    ...(bell ? (['bell'] as const) : []),
  ];
}

/** Finds the desktop's own program, and its arguments for a title and a text. */
export function findDesktopProgram(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): { path: string | undefined; name: string } {
  const name = platform === 'darwin' ? 'osascript' : 'notify-send';
  return { path: findOnPath(name, env), name };
}

/** Resolves a path that begins with ~ to the person's home. */
export function resolveProgram(program: string, { root, env }: NewsContext): string {
  if (program.startsWith('~/')) return join(env.HOME ?? '/', program.slice(2));
  return program.includes('/') && !program.startsWith('/') ? join(root, program) : program;
}

type Send = (news: News, settings: NotifySettings, around: NewsContext) => Promise<void>;

const CHANNELS: Readonly<Record<NotifyChannel, Send>> = {
  command: async (news, { command, timeout }, around) => {
    const [program = '', ...args] = command ?? [];
    const input = `${JSON.stringify(news)}\n`;
    await run(resolveProgram(program, around), args, { input, timeout }, around);
  },
  webhook: (news, { webhook, timeout }) => post(webhook ?? '', JSON.stringify(news), timeout),
  desktop: async (news, { timeout }, around) => {
    const { path, name } = findDesktopProgram(around.env);
    if (path === undefined) throw new Error(`${name} was not found on PATH`);
    const text = `${news.text}\n${news.next}`;
    const args = name === 'osascript' ? toAppleScript(news.title, text) : toNotifySend(news, text);
    await run(path, args, { timeout }, around);
  },
  bell: async (_, __, { terminal = '/dev/tty' }) => ring(terminal),
};

/** A terminal that was stopped by Ctrl-S must not stop the worker, too. */
const WITHOUT_WAITING = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

function ring(terminal: string): void {
  let handle: number;
  try {
    handle = openSync(terminal, WITHOUT_WAITING);
  } catch (error) {
    throw new Error(`there is no terminal to ring in (${messageOf(error)})`);
  }
  try {
    writeSync(handle, '\u0007');
  } finally {
    closeSync(handle);
  }
}

/** The texts are arguments of the script, never a part of it. */
const toAppleScript = (title: string, text: string) => [
  ...['-e', 'on run argv'],
  ...['-e', 'display notification (item 2 of argv) with title (item 1 of argv)'],
  ...['-e', 'end run', title, text],
];

/** notify-send reads the text as markup. */
function toNotifySend({ on, title }: News, text: string): string[] {
  const urgency = on === 'needs-you' || on === 'failed' ? 'critical' : 'normal';
  const toPlain = (it: string) =>
    it.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['--app-name=SAGA', `--urgency=${urgency}`, '--', title, toPlain(text)];
}

/** How much of the output of a program is kept, from its end. */
const KEPT_OUTPUT = 4096;
const KEPT_LINE = 200;

async function run(
  program: string,
  args: readonly string[],
  { input = '', timeout }: { input?: string; timeout: number },
  { root, env, lifeline }: NewsContext,
): Promise<void> {
  const { code, signal, timedOut, stderr, stdout } = await runProgram(program, args, {
    cwd: root,
    env,
    input,
    timeoutMs: timeout * 1000,
    maxOutput: KEPT_OUTPUT,
    lifeline,
  });
  if (timedOut) throw new Error(`${program} took longer than ${timeout} s and was killed`);
  if (code === 0) return;
  const said = (stderr.trim() || stdout.trim()).split('\n').at(-1)?.slice(0, KEPT_LINE) ?? '';
  const how = code === null ? `was ended by ${signal}` : `ended with code ${code}`;
  throw new Error(`${program} ${how}${said === '' ? '' : `: ${said}`}`);
}

/** Sends JSON. The address may hold a secret, so errors name only its host. */
function post(address: string, body: string, timeout: number): Promise<void> {
  const url = new URL(address);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeout * 1000);
    const fail = (why: string) => reject(new Error(`${url.host} ${why}`));
    const sent = request(
      url,
      {
        method: 'POST',
        agent: false,
        signal,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'saga',
        },
      },
      ({ statusCode = 0 }) => {
        // SAGA does not read the answer.
        sent.destroy();
        if (statusCode >= 200 && statusCode < 300) resolve();
        else fail(`answered with status ${statusCode}`);
      },
    );
    sent.on('error', (error) =>
      fail(signal.aborted ? `did not answer within ${timeout} s` : `failed: ${messageOf(error)}`),
    );
    sent.end(body);
  });
}
