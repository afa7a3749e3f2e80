import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { SagaError } from '@saga-ai/core/errors';
import { ensureIgnoredFolder, writeDurably } from '@saga-ai/core/files/atomic-write';
import { dashboardTokenFile, type Paths } from '@saga-ai/core/project/paths';

const TOKEN = /^[\w-]{32}$/;

export const createToken = () => randomBytes(24).toString('base64url');

/**
 * Loads the token of this project's dashboard, so that open pages can act after a restart. If there is none, or
 * others could have read it, saves a new one. On a disk that cannot be written, each start has a token of its own.
 */
export function loadToken(paths: Paths, userId: number | undefined): string {
  const file = dashboardTokenFile(paths);
  const known = read(file, userId);
  if (known !== undefined) return known;
  const token = createToken();
  const temp = `${file}.${process.pid}.tmp`;
  try {
    ensureIgnoredFolder(paths.runs);
    writeDurably(temp, `${token}\n`, 0o600);
    renameSync(temp, file);
  } catch (error) {
    if (!(error instanceof SagaError || (error instanceof Error && 'code' in error))) throw error;
    rmSync(temp, { force: true });
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
