import type { ErrorAnswer } from '@saga-ai/types/screens/dashboard';
import { ApiError } from './api-error.ts';

export async function fetchJson<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(
      'no-answer',
      'The dashboard’s server does not answer.',
      'Start it again: saga dashboard',
    );
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body as T;
  const { error } = (body ?? {}) as Partial<ErrorAnswer>;
  throw new ApiError(
    error?.code ?? `http-${response.status}`,
    error?.message ?? `The server answered ${response.status} for ${path}.`,
    error?.hint ?? '',
  );
}
