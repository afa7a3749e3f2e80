import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { SagaError } from '@saga-ai/core/errors';
import { replacePrivately } from '@saga-ai/core/files/atomic-write';
import { ensureFolder } from '@saga-ai/core/files/ensure-folder';
import type { Environment } from '@saga-ai/core/processes/run';
import { olderDashboardToken, type Paths } from '@saga-ai/core/project/paths';
import { findDashboardToken } from '@saga-ai/core/project/person-folders';

const TOKEN = /^[\w-]{32}$/;

export const createToken = () => randomBytes(24).toString('base64url');

/**
 * Loads the token of this project's dashboard, so that open pages can act after a restart. If there is none, or
 * others could have read it, saves a new one. Without a home, or on a disk that cannot be written, each start has a
 * token of its own.
 */
export function loadToken(paths: Paths, env: Environment, userId: number | undefined): string {
  const file = findDashboardToken(env, paths.root);
  const known = file === undefined ? undefined : read(file, userId);
  const token = known ?? createToken();
  try {
    rmSync(olderDashboardToken(paths), { force: true });
    if (file === undefined || known !== undefined) return token;
    ensureFolder(dirname(file), 0o700);
    replacePrivately(file, `${token}\n`);
  } catch (error) {
    if (!(error instanceof SagaError || (error instanceof Error && 'code' in error))) throw error;
    // Pages of this start have the token all the same.
  }
  return token;
}

/** Returns undefined unless the file is this user's own and nobody else can read it. */
function read(file: string, userId: number | undefined): string | undefined {
  try {
    const { mode, uid } = lstatSync(file);
    const isPrivate = (mode & 0o170077) === 0o100000;
    if (!isPrivate || (userId !== undefined && uid !== userId)) return undefined;
    const text = readFileSync(file, 'utf8').trim();
    return TOKEN.test(text) ? text : undefined;
  } catch {
    // There is no token yet.
    return undefined;
  }
}
