import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { until } from '../programs/until.ts';

export interface Postgres extends AsyncDisposable {
  /** The address with the password, for the engine's user, who may create schemas. */
  url: string;
  password: string;
  /** Stops the database, as when its machine stops. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Runs statements directly on the database. */
  run(statements: string): void;
  /** How many bytes its data take. */
  size(): Promise<number>;
}

const PASSWORD = 'a-pass:word@of/the-tests';
const USER = 'saga';
/** PostgreSQL does not run as root. */
const NOBODY = 65_534;
const DEBIAN = '/usr/lib/postgresql';

/**
 * A real PostgreSQL with a data folder of its own. It listens on a socket in that folder, so that tests
 * at the same time never meet.
 */
export async function startPostgres({ isSynced = false } = {}): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'saga-postgres-'));
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (owner.uid !== undefined) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  const made = spawnSync(
    findProgram('initdb'),
    [
      '-D',
      data,
      '-U',
      USER,
      '-A',
      'scram-sha-256',
      '--pwfile',
      passwordFile,
      '--no-sync',
      '-E',
      'UTF8',
      '--locale',
      'C',
    ],
    { ...owner, cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH, LC_ALL: 'C' } },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error ?? ''}`);
  let server: ChildProcess | undefined;
  const socket = join(folder, '.s.PGSQL.5432');
  const start = async () => {
    server = spawn(
      findProgram('postgres'),
      [
        '-D',
        data,
        '-k',
        folder,
        '-c',
        'listen_addresses=',
        '-c',
        'max_connections=300',
        ...(isSynced ? [] : ['-c', 'fsync=off']),
      ],
      {
        ...owner,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { PATH: process.env.PATH, LC_ALL: 'C' },
      },
    );
    let said = '';
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
    });
    await until(() => {
      if (server?.exitCode !== null) throw new Error(`PostgreSQL ended at once:\n${said}`);
      return existsSync(socket) && said.includes('ready to accept connections');
    });
  };
  const stop = async () => {
    const running = server;
    server = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGQUIT');
    await ended;
  };
  await start();
  const place = `host=${encodeURIComponent(folder)}`;
  return {
    url: `postgres://${USER}:${encodeURIComponent(PASSWORD)}@localhost/postgres?${place}`,
    password: PASSWORD,
    start,
    stop,
    run(statements) {
      const words = ['-h', folder, '-U', USER, '-d', 'postgres', '-q', '-v', 'ON_ERROR_STOP=1'];
      const { status, stderr, error } = spawnSync(
        findProgram('psql'),
        [...words, '-c', statements],
        { encoding: 'utf8', env: { PATH: process.env.PATH, PGPASSWORD: PASSWORD } },
      );
      if (status !== 0) throw new Error(`psql failed: ${stderr}${error ?? ''}`);
    },
    async size() {
      return sizeOf(join(data, 'base'));
    },
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Debian keeps each version in a folder of its own, off the PATH. */
function findProgram(name: string): string {
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined)
    throw new Error(`${name} is not installed: node scripts/setup.mjs tests`);
  return found;
}
