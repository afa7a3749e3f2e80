import { SagaError } from '@saga-ai/core/errors';

const MOST_BYTES = 256 * 1024;

/** A whole number of a query; nothing when it is not given. */
export function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new SagaError('usage', `${name} must be a whole number.`, 'Correct the address.');
}

/** The JSON of a request; a form of another page cannot send that. */
export async function readBody(request: Request): Promise<unknown> {
  if (!/^application\/json\b/.test(request.headers.get('content-type') ?? '')) {
    throw badBody('is not said to be JSON');
  }
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!(length <= MOST_BYTES)) throw badBody('is too long, or does not say how long it is');
  try {
    return JSON.parse(await request.text());
  } catch {
    throw badBody('is not valid JSON');
  }
}

function badBody(what: string): SagaError {
  return new SagaError('usage', `What was sent ${what}.`, 'Nothing was changed.');
}
