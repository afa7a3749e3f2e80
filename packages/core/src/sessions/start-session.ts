import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '@saga-ai/types/run/event';
import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import { formatSession } from '@saga-ai/types/words/names';
import type { Environment } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import { clearStaleEnvironments, ENVIRONMENT_FILE_END } from './environment-file.ts';
import { ensureSessionFolder } from './session-folder.ts';
import { openTmux } from './tmux.ts';

export interface SessionRequest {
  paths: Paths;
  storyId: string;
  /** The program and arguments that start a worker. The output file is appended. */
  command: readonly string[];
  env: Environment;
  userId: number | undefined;
  timestamp: number;
}

export interface StartedSession {
  session: string;
  outputFile: string;
  /** The event that says that the worker has a worktree or has ended; undefined if neither came in time. */
  first?: SessionEvent;
}

/** Names the file with the worker's environment, for the program that tmux starts. */
export const ENVIRONMENT_FILE_VARIABLE = 'SAGA_ENVIRONMENT_FILE';

/**
 * Starts a worker in tmux. A tmux server that is already running would pass on its own environment,
 * and all users can see arguments, so the environment travels in a private file.
 */
export async function startSession(request: SessionRequest): Promise<StartedSession> {
  const { paths, storyId, command, env, userId, timestamp } = request;
  const tmux = openTmux(paths.root, env);
  const folder = ensureSessionFolder(env, userId);
  const session = formatSession({ storyId, timestamp });
  const outputFile = join(folder, `${session}.jsonl`);
  clearStaleEnvironments(folder);
  const environmentFile = join(folder, `${session}${ENVIRONMENT_FILE_END}`);
  const given = `${ENVIRONMENT_FILE_VARIABLE}=${environmentFile}`;
  let isOnItsWay = false;
  try {
    writeFileSync(environmentFile, JSON.stringify(env), { mode: 0o600, flag: 'wx' });
    await tmux.start(session, paths.root, ['env', given, ...command, '--output-file', outputFile]);
    const first = await waitForWord(outputFile);
    // A worker without an event yet may not have read the file yet, so keep the file.
    isOnItsWay = first === undefined && (await tmux.has(session));
    return { session, outputFile, ...(first ? { first } : {}) };
  } finally {
    // The file contains keys. The worker removes it after reading; if no worker did, it is removed here.
    if (!isOnItsWay) rmSync(environmentFile, { force: true });
  }
}

const PATIENCE_MS = 5000;

/** Whether the event says that the worker holds its story and has a worktree. */
export function isUnderWay({ type }: SessionEvent): boolean {
  return type === 'worktree:found' || type === 'worktree:created';
}

/** Waits for the worker's first decisive event: a worker that dies at once must not count as started. */
async function waitForWord(file: string): Promise<SessionEvent | undefined> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    await sleep(25);
    const events = readLines(file).flatMap((line) => parseSessionEvent(line) ?? []);
    const ended = events.find((it) => it.type === 'worker:end');
    const underWay = events.find(isUnderWay);
    if (ended ?? underWay) return ended ?? underWay;
  }
  return undefined;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    // The file does not exist yet.
    return [];
  }
}
