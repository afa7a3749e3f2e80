import type { LogAnswer } from '@saga-ai/types/screens/dashboard';
import { fetchJson } from '../api/fetch-json.ts';

/** Loads a window of the log. `from` is a byte offset, or -1 for the end. */
export function loadWindow(
  session: string,
  from: number,
  bytes: number,
  signal?: AbortSignal,
): Promise<LogAnswer> {
  const path = `/api/sessions/${encodeURIComponent(session)}/log?from=${from}&bytes=${bytes}`;
  return fetchJson<LogAnswer>(path, signal ? { signal } : {});
}
