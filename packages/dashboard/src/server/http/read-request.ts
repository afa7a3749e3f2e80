import { SagaError } from '@saga-ai/core/errors';
import type { HonoRequest } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/** Returns undefined if the query does not have it. */
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

/** The JSON of a request; a form of another page cannot send that. */
export async function readBody(request: HonoRequest): Promise<unknown> {
  if (!/^application\/json\b/.test(request.header('content-type') ?? '')) {
    throw badBody('is not said to be JSON');
  }
  try {
    return await request.json();
  } catch {
    throw badBody('is not valid JSON');
  }
}

function badBody(what: string): SagaError {
  return new SagaError('usage', `What was sent ${what}.`, 'Nothing was changed.');
}
