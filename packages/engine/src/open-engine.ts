import type { Engine } from '@saga-ai/core/fleet/engine';
import { redactUrl } from '@saga-ai/core/fleet/redact-url';
import { PgBoss } from 'pg-boss';
import { Bell } from './bell.ts';
import { Database, notReady, toEngineError } from './database.ts';
import { Jobs } from './jobs.ts';
import { openMachines } from './machines.ts';
import { openNews } from './news.ts';
import { CREATE_TABLES, FORGET_OLD, JOBS_SCHEMA, TABLES_VERSION } from './tables.ts';

export interface EngineOptions {
  /** The address of the database: `postgres://…` */
  url: string;
  /** The name of the connection, for people who look at the database's connections. */
  name: string;
  /** An agent also notices machines that died, and removes what is old. */
  role: 'agent' | 'reader';
  /** How long a machine may be silent. pg-boss requires at least 10 seconds. */
  leaseSeconds?: number;
  keepDays?: number;
}

const LEASE_SECONDS = 20;
const SHORTEST_LEASE_SECONDS = 10;
const KEEP_DAYS = 14;
/** How often agents look for machines that died. One of them does it for all. */
const SUPERVISE_SECONDS = 4;
const FORGET_MS = 60 * 60 * 1000;
const CONNECT_MS = 10_000;

/** Opens an engine that `initEngine` prepared. Throws if it cannot be reached or is not prepared. */
export async function openEngine(options: EngineOptions): Promise<Engine & { jobs: Jobs }> {
  const { url, name, role, keepDays = KEEP_DAYS } = options;
  const leaseSeconds = Math.max(SHORTEST_LEASE_SECONDS, options.leaseSeconds ?? LEASE_SECONDS);
  const isAgent = role === 'agent';
  const boss = createBoss(url, name, {
    max: isAgent ? 4 : 2,
    supervise: isAgent,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  const database = new Database(boss, url);
  await database.ask((it) => it.start());
  try {
    await requireTables(database, url);
  } catch (error) {
    await stop(boss);
    throw error;
  }
  const bell = new Bell(database);
  const forget = () => forgetOld(database, keepDays);
  const timer = isAgent ? setInterval(forget, FORGET_MS) : undefined;
  if (isAgent) void forget();
  return {
    jobs: new Jobs(database, bell, { leaseSeconds, keepDays }),
    machines: openMachines(database, leaseSeconds),
    news: openNews(database, bell),
    async close() {
      clearInterval(timer);
      await bell.close();
      await stop(boss);
    },
  };
}

/** Prepares the database: pg-boss's own tables, by its migrations, and SAGA's. May be repeated. */
export async function initEngine(url: string): Promise<void> {
  const boss = createBoss(url, 'saga fleet init', { createSchema: true, migrate: true, max: 2 });
  const database = new Database(boss, url);
  try {
    await database.ask((it) => it.start());
    await database.query(CREATE_TABLES);
  } finally {
    await stop(boss);
  }
}

function createBoss(
  url: string,
  name: string,
  options: Omit<ConstructorParameters<typeof PgBoss>[0], 'schema'>,
): PgBoss {
  let boss: PgBoss;
  try {
    boss = new PgBoss({
      connectionString: url,
      application_name: name.slice(0, 60),
      schema: JOBS_SCHEMA,
      connectionTimeoutMillis: CONNECT_MS,
      schedule: false,
      supervise: false,
      migrate: false,
      createSchema: false,
      ...options,
    });
  } catch (error) {
    throw toEngineError(error, url);
  }
  // The next call reports a lost connection. Without a listener, the error would end the process.
  boss.on('error', () => {});
  return boss;
}

async function requireTables(database: Database, url: string): Promise<void> {
  const [row] = await database.query<{ number: number }>('select number from saga.version');
  if (row?.number === TABLES_VERSION) return;
  throw notReady(
    redactUrl(url),
    row === undefined
      ? 'its tables are empty'
      : `its tables have version ${row.number}, and this SAGA works with ${TABLES_VERSION}`,
  );
}

/** Removes old news. An error is dropped, because old news only take space, and the next hour tries again. */
async function forgetOld(database: Database, keepDays: number): Promise<void> {
  try {
    for (const statement of FORGET_OLD) await database.query(statement, [keepDays]);
  } catch {
    // The next call of the agent says that the engine is away.
  }
}

async function stop(boss: PgBoss): Promise<void> {
  try {
    await boss.stop({ graceful: false, close: true });
  } catch {
    // The connection was not open.
  }
}
