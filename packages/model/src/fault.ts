/** What a test wants to go wrong. `times`: for how many requests in a row, once if not given. */
export type Fault = (
  | StatusFault
  | RefusedConnection
  | SlowStream
  | { kind: 'cut-stream' | 'hang' | 'refusal' | 'max-tokens' }
) & { times?: number | 'always' };

export interface StatusFault {
  /** 400, 401, 403, 404, 429, 500, 529, or any other that stands for an error. */
  status: number;
  message?: string;
  /** Seconds. */
  retryAfter?: number;
  headers?: Readonly<Record<string, string>>;
}

/** The port is closed for a while, or until the end: refused attempts cannot be counted. */
export interface RefusedConnection {
  kind: 'refused-connection';
  forMs?: number;
}

export interface SlowStream {
  kind: 'slow-stream';
  /** Between two events; 200 if not given. */
  pauseMs?: number;
}

export const FAULT_KINDS = [
  'refused-connection',
  'cut-stream',
  'slow-stream',
  'hang',
  'refusal',
  'max-tokens',
] as const;

/** These spoil a reply on its way, so there has to be one; the others stand in its place. */
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
