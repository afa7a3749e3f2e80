import { rmSync } from 'node:fs';
import type { Code } from '@saga-ai/types/words/problem';
import { SagaError } from '../errors.ts';
import { type ConfigTexts, loadConfig } from '../plan/config.ts';
import { findLockOwner } from '../processes/lock.ts';
import { epicLock, type Paths } from '../project/paths.ts';
import { loadSessionRecord } from '../records/session-records.ts';
import {
  type SessionRequest,
  type StartedSession,
  startSession,
} from '../sessions/start-session.ts';

/** Starts the scheduler of an epic in a session of its own. Throws what ends it before it has begun. */
export async function startEpic(
  request: SessionRequest & { flags?: ConfigTexts },
): Promise<StartedSession> {
  const { paths, env, flags = {} } = request;
  const { config } = loadConfig(paths, { environment: env, flags });
  const started = await startSession({
    ...request,
    isEpic: true,
    tmuxServer: config.session.tmuxServer,
  });
  const { end, outputFile, session } = started;
  if (end?.kind !== 'error') return started;
  if (end.hint !== undefined && !loadSessionRecord(paths, session))
    rmSync(outputFile, { force: true });
  throw new SagaError(
    (end.code as Code | undefined) ?? 'session-failed',
    String(end.reason),
    String(end.hint ?? `See ${outputFile}`),
  );
}

/** Whether a scheduler works on the epic now. */
export const isEpicRunning = (paths: Paths, epicId: string): boolean =>
  findLockOwner(epicLock(paths, epicId)) !== undefined;
