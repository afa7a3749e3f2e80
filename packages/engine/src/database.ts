import { errorCodeOf, messageOf, SagaError } from '@saga-ai/core/errors';
import { redactUrl } from '@saga-ai/core/fleet/redact-url';
import type { PgBoss } from 'pg-boss';

/** The database of an engine. Every failure says which engine, why, and what to do. */
export class Database {
  readonly #boss: PgBoss;
  readonly #url: string;

  constructor(boss: PgBoss, url: string) {
    this.#boss = boss;
    this.#url = url;
  }

  /** Calls pg-boss. */
  async ask<Answer>(call: (boss: PgBoss) => Promise<Answer>): Promise<Answer> {
    try {
      return await call(this.#boss);
    } catch (error) {
      throw toEngineError(error, this.#url);
    }
  }

  /** Runs one statement of SAGA's own. */
  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.ask((boss) => boss.getDb().executeSql(text, values));
    return rows as Row[];
  }
}

/** PostgreSQL's codes for a refused login. */
const REFUSED = new Set(['28P01', '28000', '3D000']);
/** PostgreSQL's codes for a missing table, function or schema, and for a missing right to use one. */
const NOT_READY = new Set(['42P01', '3F000', '42883', '42501']);
/** Matches the messages of pg-boss that its tables are missing or belong to another version. */
const BOSS_NOT_READY = /^pg-boss (is not installed|database requires migrations)/;

export function toEngineError(error: unknown, url: string): SagaError {
  if (error instanceof SagaError) return error;
  const shown = redactUrl(url);
  const code = errorCodeOf(error) ?? '';
  const said = describe(error).replaceAll(url, shown);
  if (REFUSED.has(code)) {
    return new SagaError(
      'engine-unreachable',
      `The engine ${shown} refuses the login: ${said}.`,
      'Check user, password and database in engine.url (or PGPASSWORD), then try: saga fleet',
      { cause: error },
    );
  }
  if (NOT_READY.has(code) || BOSS_NOT_READY.test(said)) {
    return notReady(shown, said, error);
  }
  return new SagaError(
    'engine-unreachable',
    `The engine ${shown} cannot be reached: ${said}.`,
    'Check that PostgreSQL runs and that engine.url names it, then try: saga fleet',
    { cause: error },
  );
}

export function notReady(shown: string, said: string, cause?: unknown): SagaError {
  return new SagaError(
    'engine-not-ready',
    `The engine ${shown} is not prepared: ${said}.`,
    'Prepare it once, with a user who may create schemas: saga fleet init',
    { cause },
  );
}

/** Describes an error. If several addresses of a host were tried, the message is empty and the reasons are inside. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return [...new Set(error.errors.map(describe))].join('; ');
  }
  return messageOf(error).replace(/\.$/, '') || errorCodeOf(error) || 'no reason given';
}
