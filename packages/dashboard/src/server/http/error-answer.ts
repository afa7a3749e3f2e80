import { messageOf, SagaError } from '@saga-ai/core/errors';
import type { ErrorAnswer } from '@saga-ai/types/screens/dashboard';

export function toErrorAnswer(code: string, message: string, hint: string): ErrorAnswer {
  return { error: { code, message, hint } };
}

type Status = 400 | 404 | 409 | 500;

const STATUSES: Readonly<Record<string, Status>> = {
  'not-found': 404,
  usage: 400,
  'edit-refused': 400,
  internal: 500,
};

/** A SagaError is answered with its own message. Any other error is a bug in SAGA. */
export function describeError(error: unknown): { answer: ErrorAnswer; status: Status } {
  if (error instanceof SagaError) {
    const { code, message, hint } = error;
    return { answer: toErrorAnswer(code, message, hint), status: STATUSES[code] ?? 409 };
  }
  const hint = 'This is a bug in SAGA. The terminal of saga dashboard shows the details.';
  return { answer: toErrorAnswer('internal', messageOf(error), hint), status: 500 };
}
