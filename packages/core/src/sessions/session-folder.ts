import { chmodSync, lstatSync } from 'node:fs';
import { SagaError, toWriteError } from '../errors.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import type { Environment } from '../processes/run.ts';

/**
 * The folder for output files: `SAGA_SESSION_DIR`, else /tmp/saga-sessions. Output files show what
 * models read and wrote, so only the owner may read the folder. If another user owns
 * /tmp/saga-sessions, this user's number is added to the name.
 */
export function findSessionFolder(env: Environment, userId: number | undefined): string {
  if (env.SAGA_SESSION_DIR) return env.SAGA_SESSION_DIR;
  const usual = '/tmp/saga-sessions';
  const found = lstatSync(usual, { throwIfNoEntry: false });
  const isTaken = found && (found.uid !== userId || !found.isDirectory());
  return isTaken ? `${usual}-${userId}` : usual;
}

export function ensureSessionFolder(env: Environment, userId: number | undefined): string {
  return ensurePrivate(findSessionFolder(env, userId), userId);
}

function ensurePrivate(folder: string, userId: number | undefined): string {
  try {
    ensureFolder(folder, 0o700);
    const { uid, mode } = lstatSync(folder);
    if (userId !== undefined && uid !== userId) throw notOurs(folder);
    if ((mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return folder;
  } catch (error) {
    throw toWriteError(error, folder);
  }
}

function notOurs(folder: string): SagaError {
  return new SagaError(
    'permission-denied',
    `${folder} belongs to another user.`,
    'Set SAGA_SESSION_DIR to a folder of your own.',
  );
}
