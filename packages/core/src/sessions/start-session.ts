import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '@saga-ai/types/config';
import { formatEpicSession, formatSession } from '@saga-ai/types/words/names';
import { errorCodeOf, SagaError, toWriteError } from '../errors.ts';
import { ensureSessionFolder } from '../files/session-folder.ts';
import type { Environment } from '../processes/run.ts';
import { ENVIRONMENT_FILE_VARIABLE } from '../processes/variables.ts';
import type { Paths } from '../project/paths.ts';
import { clearStaleEnvironments, ENVIRONMENT_FILE_END } from './environment-file.ts';
import { clearLastWords, keepLastWords, LAST_WORDS_END } from './last-words.ts';
import { openTmux, type Tmux } from './tmux.ts';
import { type Patience, type WorkerEndEvent, waitForWord } from './wait-for-word.ts';

export interface SessionRequest {
  paths: Paths;
  /** The id of a story, or of an epic. */
  storyId: string;
  isEpic?: boolean;
  /** The program and arguments that start a worker. The output file is appended. */
  command: readonly string[];
  env: Environment;
  userId: number | undefined;
  timestamp: number;
}

export interface StartedSession {
  session: string;
  outputFile: string;
  /** The tmux server on which the worker runs. */
  tmux: Tmux;
  /**
   * `started`: the worker is under way. `ended`: the worker ended before that. `starting`: the worker lives, but has
   * not passed preflight yet.
   */
  state: 'started' | 'ended' | 'starting';
  /** The worker's final event, if it has ended already. */
  end?: WorkerEndEvent;
}

/**
 * Starts a worker in tmux. A tmux server that is already running would pass on its own environment, and all users can
 * see arguments, so the environment travels in a private file. Throws if the session ends before its worker has written
 * an event.
 */
export async function startSession(
  request: SessionRequest & { tmuxServer: Config['session']['tmuxServer']; patience?: Patience },
): Promise<StartedSession> {
  const { paths, storyId, command, env, userId, timestamp, tmuxServer, patience } = request;
  const format = request.isEpic ? formatEpicSession : formatSession;
  const tmux = openTmux(paths.root, env, tmuxServer);
  const folder = ensureSessionFolder(env, userId);
  clearStaleEnvironments(folder);
  clearLastWords(folder);
  const { session, environmentFile } = claimSession(folder, timestamp, env, (at) =>
    format({ storyId, timestamp: at }),
  );
  const outputFile = join(folder, `${session}.jsonl`);
  const given = `${ENVIRONMENT_FILE_VARIABLE}=${environmentFile}`;
  const words = keepLastWords(join(folder, `${session}${LAST_WORDS_END}`));
  let isOnItsWay = false;
  try {
    const worker = ['env', given, ...command, '--output-file', outputFile];
    await tmux.start(session, paths.root, words.wrap(worker));
    const found = await waitForWord(outputFile, () => tmux.has(session), patience);
    if (found.state === 'gone') throw toGone(session, storyId, words.read(), tmuxServer);
    if ('end' in found && found.end?.kind === 'error') await waitUntilGone(tmux, session);
    // A worker without an event yet may not have read the file yet, so keep the file.
    isOnItsWay = found.state === 'starting';
    return { session, outputFile, tmux, ...found };
  } finally {
    // The file contains keys. The worker removes it after reading; if no worker did, it is removed here.
    if (!isOnItsWay) rmSync(environmentFile, { force: true });
    if (!isOnItsWay) words.remove();
  }
}

/** How long a worker may take to exit after its final event. Its session ends with it. */
const EXIT_MS = 30_000;
const LOOK_AGAIN_MS = 20;

/**
 * Waits until the session of a refused worker is gone. If the session does not end, `saga recover` finds it later: the
 * error of the worker matters more.
 */
async function waitUntilGone(tmux: Tmux, session: string): Promise<void> {
  for (const last = Date.now() + EXIT_MS; Date.now() < last; await sleep(LOOK_AGAIN_MS)) {
    if (!(await tmux.has(session))) return;
  }
}

const MOST_TRIES = 1000;

/**
 * Finds a name that is free and writes the environment file. All projects of a user share the session
 * folder and the tmux server, so another project may have taken a name in the same millisecond.
 */
function claimSession(
  folder: string,
  timestamp: number,
  env: Environment,
  nameAt: (timestamp: number) => string,
) {
  for (let at = timestamp; ; at++) {
    const session = nameAt(at);
    const environmentFile = join(folder, `${session}${ENVIRONMENT_FILE_END}`);
    const traces = ['.jsonl', LAST_WORDS_END].map((end) => join(folder, `${session}${end}`));
    if (traces.some((it) => existsSync(it)) && at < timestamp + MOST_TRIES) continue;
    try {
      writeFileSync(environmentFile, JSON.stringify(env), { mode: 0o600, flag: 'wx' });
      return { session, environmentFile };
    } catch (error) {
      const isThere = errorCodeOf(error) === 'EEXIST';
      if (isThere && at < timestamp + MOST_TRIES) continue;
      // A full disk leaves the beginning of the file.
      if (!isThere) rmSync(environmentFile, { force: true });
      throw toWriteError(error, environmentFile);
    }
  }
}

function toGone(
  session: string,
  storyId: string,
  words: string,
  tmuxServer: Config['session']['tmuxServer'],
): SagaError {
  const inPlace = `run it in this terminal: saga run ${storyId} --foreground`;
  return words === ''
    ? new SagaError(
        'session-failed',
        `Session ${session} was ended before its worker was under way.`,
        tmuxServer === 'user'
          ? `Your tmux ends such sessions, perhaps by a hook: set session.tmuxServer to "saga", or ${inPlace}`
          : `Somebody ended it, or the machine is short of memory. Try again, or ${inPlace}`,
      )
    : new SagaError(
        'session-failed',
        `The worker of ${storyId} ended before it could begin. It said:\n${words.replace(/^/gm, '    ')}`,
        `To see all of it, ${inPlace}`,
      );
}
