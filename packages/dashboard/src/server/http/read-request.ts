import { SagaError } from '@saga-ai/core/errors';
import type { HonoRequest } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/** Returns undefined if the query does not contain the parameter. */
export function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new SagaError('usage', `${name} must be a whole number.`, 'Correct the address.');
}

export const limitBody = bodyLimit({
  maxSize: 256 * 1024,
  onError: () => {
    throw badBody('is longer than 256 kB');
  },
});

/** Limits the size of a request. A plan of a thousand stories fits. */
export const limitPlan = bodyLimit({
  maxSize: 2 * 1024 * 1024,
  onError: () => {
    throw badBody('is longer than 2 MB');
  },
});

/** Reads the JSON of a request. A form on another site cannot send this content type. */
export async function readBody(request: HonoRequest): Promise<unknown> {
  if (!/^application\/json\b/.test(request.header('content-type') ?? '')) {
    throw badBody('must have the content type application/json');
  }
  try {
    return await request.json();
  } catch {
    throw badBody('is not valid JSON');
  }
}

function badBody(what: string): SagaError {
  return new SagaError('usage', `The body of the request ${what}.`, 'Nothing was changed.');
}
