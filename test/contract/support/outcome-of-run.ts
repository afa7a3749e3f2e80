import type { Model, ModelRequest } from '@saga-ai/model';
import type { ClientEvent, ClientRun } from '../../rig/client/client-run.ts';

/** What every supported version tells about the end of a run. */
export interface RunOutcome {
  code: number | null;
  subtype: unknown;
  isError: unknown;
}

export const SUCCESS: RunOutcome = { code: 0, subtype: 'success', isError: false };
/** Only `is_error` and the exit code tell it from success. */
export const API_FAILURE: RunOutcome = { code: 1, subtype: 'success', isError: true };

/** Rows that retry would take minutes with the client's own ten attempts. */
export const RETRY_ONCE = { CLAUDE_CODE_MAX_RETRIES: '1' };
export const RETRY_NEVER = { CLAUDE_CODE_MAX_RETRIES: '0' };

export function outcomeOf({ code, result }: ClientRun): RunOutcome {
  return { code, subtype: result?.subtype, isError: result?.is_error };
}

/** The synthetic message in which the client says what went wrong with the API. */
export function failureOf({ events }: ClientRun): ClientEvent | undefined {
  return events.findLast((it) => it.type === 'assistant' && it.error !== undefined);
}

export function retriesOf({ events }: ClientRun): object[] {
  return events
    .filter((it) => it.type === 'system' && it.subtype === 'api_retry')
    .map(({ attempt, max_retries, error_status, error }) => ({
      attempt,
      max_retries,
      error_status,
      error,
    }));
}

/** Without the side questions and probes that some versions ask. */
export function turnsOf({ requests }: Model): ModelRequest[] {
  return requests.filter((request) => request.kind === 'turn');
}
