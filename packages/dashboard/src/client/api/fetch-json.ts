import type { ErrorAnswer } from '@saga-ai/types/screens/dashboard';
import { withoutTurns } from '../text/without-turns.ts';
import { ApiError } from './api-error.ts';
import { checkToken, readToken } from './token.ts';

export async function fetchJson<T>(path: string, init?: RequestInit): Promise<T> {
  const token = readToken();
  const headers = { ...init?.headers, ...(token === null ? {} : { 'x-saga-token': token }) };
  const response = await fetch(path, { ...init, headers }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(
      'no-answer',
      'The dashboard’s server does not answer.',
      'Start it again: saga dashboard',
    );
  });
  const body = await readJson(response);
  if (response.ok && body !== null) return body as T;
  const { error } = (body ?? {}) as Partial<ErrorAnswer>;
  if (error?.code === 'token') void checkToken();
  throw new ApiError(
    error?.code ?? `http-${response.status}`,
    error?.message ?? `The server answered ${response.status} for ${path}.`,
    error?.hint ?? '',
  );
}

/** Returns null if the answer is no JSON. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return JSON.parse(withoutTurns(await response.text()));
  } catch {
    // Something else answered, or the answer was cut.
    return null;
  }
}
