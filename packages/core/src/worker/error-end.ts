import type { Cause } from '@saga-ai/types/run/cause';
import { EXIT_CODES } from '@saga-ai/types/run/session-record';
import { describeCause } from '@saga-ai/types/words/describe-cause';
import { messageOf, SagaError, toSystemError } from '../errors.ts';

/** Returns how a worker or a scheduler ends after a thrown error. */
export function toErrorEnd(thrown: unknown) {
  const error = toSystemError(thrown);
  const code = error instanceof SagaError ? { code: error.code } : {};
  const cause: Cause = { kind: 'error', ...code, message: messageOf(error) };
  const reason = describeCause(cause);
  return { kind: 'error', cause, reason, exitCode: EXIT_CODES.error, error } as const;
}
