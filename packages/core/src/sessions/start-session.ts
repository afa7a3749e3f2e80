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
  /** Program and arguments that start a worker; the output file is added. */
  command: readonly string[];
  env: Environment;
  userId: number | undefined;
  timestamp: number;
}

export interface StartedSession {
  session: string;
  outputFile: string;
  /** Its first word: under way, or ended already. Nothing if it is slow to speak. */
  first?: SessionEvent;
}

/** Names the file that holds a worker's environment, for the one program tmux starts. */
export const ENVIRONMENT_FILE_VARIABLE = 'SAGA_ENVIRONMENT_FILE';

/**
 * Starts a worker in tmux. A server that runs already would give it the environment of whoever
 * started that server, and arguments can be seen by everybody; so ours travels in a private file.
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
    // One that is slow to speak may be slow to read: it still needs the file.
    isOnItsWay = first === undefined && (await tmux.has(session));
    return { session, outputFile, ...(first ? { first } : {}) };
  } finally {
    // It holds keys. The worker removes it when it reads it; where none came to that, we do.
    if (!isOnItsWay) rmSync(environmentFile, { force: true });
  }
}

const PATIENCE_MS = 5000;

/** From here on a worker has its story to itself and a place to work in. */
export function isUnderWay({ type }: SessionEvent): boolean {
  return type === 'worktree:found' || type === 'worktree:created';
}

/** A worker that dies at once must not look like one that was started. */
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
    // Not there yet.
    return [];
  }
}
