import { chmodSync, lstatSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SagaError, toWriteError } from '../errors.ts';
import { ensureFolder } from './ensure-folder.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The folder for output files: `SAGA_SESSION_DIR`, else /tmp/saga-sessions. Output files show what
 * models read and wrote, so only the owner may read the folder. If others can read the folder that
 * `SAGA_SESSION_DIR` names, it is left as it is, and a folder of SAGA's own in it is used. If another user
 * owns /tmp/saga-sessions, this user's number is added to the name.
 */
export function findSessionFolder(env: Variables, userId: number | undefined): string {
  const given = env.SAGA_SESSION_DIR;
  if (given) {
    const found = statSync(given, { throwIfNoEntry: false });
    // Nothing can be made in a folder of another user, unless everybody may write there.
    const isShared = found && (found.mode & (found.uid === userId ? 0o077 : 0o002)) !== 0;
    const isOurs = basename(given).startsWith(OWN_NAME);
    return isShared && !isOurs ? join(given, `${OWN_NAME}-${userId}`) : given;
  }
  const usual = join('/tmp', OWN_NAME);
  const found = lstatSync(usual, { throwIfNoEntry: false });
  const isTaken = found && (found.uid !== userId || !found.isDirectory());
  return isTaken ? `${usual}-${userId}` : usual;
}

/** Folders of this name are SAGA's own. */
const OWN_NAME = 'saga-sessions';

export function ensureSessionFolder(env: Variables, userId: number | undefined): string {
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
