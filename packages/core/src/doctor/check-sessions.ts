import { type Finding, ok, problem } from '@saga-ai/types/finding';
import { SagaError } from '../errors.ts';
import type { Environment } from '../programs/run.ts';
import { ensureSessionFolder } from '../sessions/session-folder.ts';

/** Where output files go: there, ours, and for nobody else to read. It is made so if it can be. */
export function checkSessionFolder(env: Environment, userId: number | undefined): Finding {
  try {
    return ok('sessions', `${ensureSessionFolder(env, userId)} (only you can read it)`);
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    return problem('sessions', error.message, error.hint);
  }
}
