import type { RunOutcome } from '@saga-ai/types/run/cause';
import type { EndedProgram } from '../../agent.ts';

/** The fields of the client's last result event that SAGA uses. Old clients may leave out any of them. */
export interface ResultEvent {
  subtype?: string;
  is_error?: boolean;
  result?: string;
  total_cost_usd?: number;
  api_error_status?: number | null;
  api_error?: string | null;
  errors?: string[];
  terminal_reason?: string;
}

export interface EndedRun extends EndedProgram {
  sawInit: boolean;
  result?: ResultEvent;
  /** The last error that a retry or a message named, such as `authentication_failed`. */
  lastError?: string;
}

/**
 * Decides how a run ended, by the table in the contract. A result with `success` and `is_error` is a
 * failure.
 */
export function classifyRun(run: EndedRun): { outcome: RunOutcome; detail: string } {
  const { result } = run;
  if (!result) return classifySilent(run);
  const text = textOfResult(result).trim();
  const detail = text.split('\n')[0] ?? '';
  switch (result.subtype) {
    case 'error_max_budget_usd':
      return { outcome: 'budget', detail: detail || 'the budget is spent' };
    case 'error_max_turns':
      return { outcome: 'max-turns', detail: detail || 'the turn limit is reached' };
    case 'error_during_execution':
      return { outcome: 'aborted', detail: detail || 'the run was aborted' };
  }
  if (!result.is_error) return { outcome: 'ok', detail };
  return { outcome: classifyApiError(run, text), detail: detail || 'the model cannot be reached' };
}

export function textOfResult({ result, errors }: ResultEvent): string {
  if (typeof result === 'string') return result;
  return Array.isArray(errors) ? errors.join(' · ') : '';
}

function classifySilent({ code, signal, sawInit, stderr }: EndedRun) {
  const said = stderr.trim().split('\n').at(-1) ?? '';
  const ended = signal === null ? `code ${code}` : signal;
  const outcome: RunOutcome =
    sawInit || signal !== null || code === 143 || code === 129 ? 'crash' : 'usage-error';
  return { outcome, detail: said === '' ? `the client ended (${ended})` : said };
}

function classifyApiError({ result, lastError }: EndedRun, text: string): RunOutcome {
  const status = result?.api_error_status;
  if (/prompt is too long|context window|input length and .max_tokens. exceed/i.test(text)) {
    return 'context-exhausted';
  }
  if (isUsageLimit(text) || lastError === 'usage_limit') return 'usage-limit';
  const refused =
    status === 401 ||
    status === 403 ||
    status === 404 ||
    lastError === 'authentication_failed' ||
    lastError === 'billing_error' ||
    /not logged in|please run \/login|invalid api key|credit balance|issue with the selected model/i.test(
      text,
    );
  if (refused) return 'credential-refused';
  return isOutage(status, lastError, text) ? 'unavailable' : 'api-error';
}

/** The client's names for errors that pass by themselves. `unknown` is a lost connection. */
const PASSING = ['rate_limit', 'overloaded', 'server_error', 'unknown'];

/**
 * Whether the provider is overloaded, has a fault or cannot be reached, so that the same request may succeed later. If
 * a client names no status and no error, only its text says so.
 */
function isOutage(
  status: number | null | undefined,
  lastError: string | undefined,
  text: string,
): boolean {
  if (typeof status === 'number') return status === 408 || status === 429 || status >= 500;
  if (lastError !== undefined) return PASSING.includes(lastError);
  return /API Error: (?:408|429|5\d\d)|overloaded|rate limit|connection error|unable to connect/i.test(
    text,
  );
}

/**
 * Whether the text says that a usage limit is reached. A busy server (429, 529) is not a usage limit: see `isOutage`.
 */
function isUsageLimit(text: string): boolean {
  return /(?<!rate )limit reached|hit your (?:\w+ )?limit|limit will reset/i.test(text);
}

/** When a usage limit ends, if the text says so: seconds since the epoch after a bar. */
export function findReset(text: string): number | undefined {
  const seconds = /limit reached\|(\d{10})/i.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
