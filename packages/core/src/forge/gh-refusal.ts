import { describeFailure } from '../processes/describe-failure.ts';
import type { ProgramResult } from '../processes/run.ts';

/** Why gh or GitHub refused, as data. Code decides by this cause; the message is for people. */
export type GhCause =
  /** No remote is on GitHub, or SAGA uses only the branches of this repository. */
  | 'nowhere'
  | 'no-login'
  /** GitHub does not answer at all. */
  | 'unreachable'
  /** gh was ended because its time was up. */
  | 'timeout'
  /** One of GitHub's limits for requests is used up. */
  | 'too-often'
  /** GitHub itself failed (HTTP 5xx). */
  | 'server'
  /**
   * The login may not do this, or GitHub says that the thing does not exist. GitHub says the same of things that it
   * hides.
   */
  | 'denied'
  /** This GitHub is older than a field that SAGA asks for. */
  | 'unknown-field'
  /** A person has merged or closed the pull request. */
  | 'over'
  | 'other';

/** gh or GitHub refused. The message is for a person; the work continues without it. */
export class GhRefusal extends Error {
  override readonly name = 'GhRefusal';
  override readonly cause: GhCause;

  constructor(message: string, cause: GhCause = 'other') {
    super(message);
    this.cause = cause;
  }
}

/** Whether this is a refusal with one of these causes. */
export const isRefusal = (error: unknown, ...causes: readonly GhCause[]): boolean =>
  error instanceof GhRefusal && causes.includes(error.cause);

export const NOT_ON_GITHUB = 'no remote is on GitHub';
export const NO_LOGIN = { what: 'gh is not logged in', remedy: 'gh auth login' } as const;

/** Builds the refusal for a call of gh that failed, or of whose output SAGA has only the end. */
export function buildRefusal(result: ProgramResult): GhRefusal {
  if (result.code === 0 && result.isCut) return new GhRefusal('gh printed more than SAGA can read');
  const text = describeFailure(result);
  const cause = findCause(result, text);
  return new GhRefusal(describeCause(cause, text), cause);
}

function describeCause(cause: GhCause, text: string): string {
  if (cause === 'nowhere') return NOT_ON_GITHUB;
  if (cause === 'no-login') return `${NO_LOGIN.what}: ${NO_LOGIN.remedy}`;
  return cause === 'unreachable' ? `GitHub cannot be reached: ${text}` : text;
}

/** The exit code of gh for a missing login. */
const LOGIN_WANTED = 4;

function findCause({ code, timedOut }: ProgramResult, text: string): GhCause {
  if (timedOut) return 'timeout';
  // This check comes before the one for a missing login, because this message mentions the login too, for a GitHub of
  // one's own.
  if (/none of the git remotes|no git remotes/.test(text)) return 'nowhere';
  const status = findStatus(text);
  if (code === LOGIN_WANTED || status === 401 || /gh auth login/.test(text)) return 'no-login';
  if (/error connecting to|dial (tcp|unix)|no such host/.test(text)) return 'unreachable';
  // This check comes before the status, because GitHub also answers 403 for its limits.
  if (status === 429 || TOO_OFTEN.test(text)) return 'too-often';
  if (status >= 500) return 'server';
  return status === 403 || status === 404 ? 'denied' : 'other';
}

/** GitHub's words for its limits. */
const TOO_OFTEN = /rate limit/i;

/** Returns the HTTP status in a message of gh, such as `HTTP 502: …` or `… (HTTP 404)`. Returns 0 if there is none. */
function findStatus(text: string): number {
  return Number(/(?:\bHTTP|status code:) (\d{3})\b/.exec(text)?.[1] ?? 0);
}

/** One error in an answer of GitHub's GraphQL. */
export interface AnswerError {
  message: string;
  /** GitHub's own kind of error. Errors in the query itself have none. */
  type?: string;
  extensions?: { code?: string };
}

const TYPES: Readonly<Record<string, GhCause>> = {
  RATE_LIMITED: 'too-often',
  FORBIDDEN: 'denied',
  INSUFFICIENT_SCOPES: 'denied',
  NOT_FOUND: 'denied',
  SERVICE_UNAVAILABLE: 'server',
};

/** Builds the refusal for an error in an answer of GitHub's GraphQL. */
export function buildAnswerRefusal({ message, type, extensions }: AnswerError): GhRefusal {
  if (extensions?.code === 'undefinedField' || /doesn't exist on type/.test(message)) {
    return new GhRefusal(message, 'unknown-field');
  }
  const known = type === undefined ? undefined : TYPES[type];
  // GitHub reports its second limit as an error of another type.
  return new GhRefusal(message, known ?? (TOO_OFTEN.test(message) ? 'too-often' : 'other'));
}
