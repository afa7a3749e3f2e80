/** A failure that a test asks for. `times` is the number of requests in a row that fail; 1 if missing. */
export type Fault = (
  | StatusFault
  | RefusedConnection
  | SlowStream
  | { kind: 'cut-stream' | 'hang' | 'refusal' | 'max-tokens' }
) & { times?: number | 'always' };

export interface StatusFault {
  /** 400, 401, 403, 404, 429, 500, 529, or any other status of an error. */
  status: number;
  message?: string;
  /** In seconds. */
  retryAfter?: number;
  headers?: Readonly<Record<string, string>>;
}

/**
 * The port is closed for a time or until the end. It has no field `times`, because refused attempts cannot be counted.
 */
export interface RefusedConnection {
  kind: 'refused-connection';
  forMs?: number;
}

export interface SlowStream {
  kind: 'slow-stream';
  /** Milliseconds between two events; 200 if missing. */
  pauseMs?: number;
  /** How many pings are sent before the answer, as the API does while the model thinks. */
  pings?: number;
}

export const FAULT_KINDS = [
  'refused-connection',
  'cut-stream',
  'slow-stream',
  'hang',
  'refusal',
  'max-tokens',
] as const;

/** Whether the fault damages a reply, so that the turn needs one. Other faults replace the reply. */
export function spoilsReply(fault: Fault): boolean {
  return 'kind' in fault && ['cut-stream', 'slow-stream', 'max-tokens'].includes(fault.kind);
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export function buildErrorBody(status: number, message: string): object {
  return { type: 'error', error: { type: ERROR_TYPES[status] ?? 'api_error', message } };
}
