import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentEvent } from '@saga-ai/core/fleet/agent/order';
import { GITHUB_URL } from '../github/github.ts';
import { type Postgres, startPostgres } from '../postgres/start-postgres.ts';
import { PLAIN_ENVIRONMENT, SAGA } from '../programs/run-program.ts';
import { until } from '../programs/until.ts';
import type { Workshop } from './workshop.ts';

/** An engine with its own database, and machines with homes and clones of their own. */
export interface Fleet extends AsyncDisposable {
  postgres: Postgres;
  /** The environment for commands of the person. */
  env: Record<string, string>;
  agent(name: string, options?: AgentOptions): TestAgent;
  agents(): readonly TestAgent[];
  /** Ends the leases of a machine that stands still or is dead, without waiting for their time. */
  endLeases(of: TestAgent): void;
}

interface FleetOptions {
  /**
   * How long a lease lasts. The default is so long that a slow machine keeps its leases; other tests use `endLeases`.
   */
  leaseSeconds?: number;
}

interface AgentOptions {
  args?: string[];
  env?: Record<string, string>;
  isTrusted?: boolean;
  /** By how much its clock is ahead of the right time, or behind if this is negative. */
  clockAheadMs?: number;
  /** True if its data are on a small disk of its own, which other processes do not see. */
  hasSmallDisk?: boolean;
}

export interface TestAgent {
  name: string;
  process: ChildProcess;
  /** The folder of its data: clones, worktrees, output files. */
  data: string;
  events(): AgentEvent[];
  /** Waits until the agent has told this event so many times. */
  told(type: AgentEvent['type'], id?: string, times?: number): Promise<void>;
  said(): string;
  ended: Promise<number | null>;
}

/** Short leases, for tests in which a machine notices by its own clock that its lease is over. */
export const SHORT_LEASES: FleetOptions = { leaseSeconds: 60 };

const SHIFT_CLOCK = fileURLToPath(new URL('../faults/shift-clock.ts', import.meta.url));

/** Lets all machines find GitHub beside the remote, as the workshop itself does. */
export function useGitHub(it: Workshop): void {
  it.git('config', '--file', join(it.home, '.gitconfig'), 'remote.github.url', GITHUB_URL);
}

/** Mounts a small disk, with more room than an agent needs at least, on the folder that follows, in a namespace, and runs the command after that on it. */
const ON_SMALL_DISK = [
  // In a namespace of users, root could not reach the socket of a database that is not root's.
  ...['unshare', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])],
  ...['--mount', 'sh', '-c'],
  'folder=$1; shift; mount -t tmpfs -o size=192m saga-test "$folder" && cd "$folder" && exec "$@"',
  'sh',
];

/** Returns the path by which this process reaches a path of a process with a namespace of its own. */
const seenBy = (pid: number | undefined, path: string) => join(`/proc/${pid}/root`, path);

export async function startFleet(
  it: Workshop,
  { leaseSeconds = 600 }: FleetOptions = {},
): Promise<Fleet> {
  const postgres = await startPostgres();
  const env = { SAGA_ENGINE_URL: postgres.url, SAGA_ENGINE_LEASE_SECONDS: String(leaseSeconds) };
  const prepared = await it.saga(['fleet', 'init'], { env });
  if (prepared.code !== 0) throw new Error(`saga fleet init failed: ${prepared.stderr}`);
  const agents: TestAgent[] = [];
  const around = dirname(it.home);
  return {
    postgres,
    env,
    agents: () => agents,
    endLeases: ({ name }) =>
      postgres.run(
        `update saga_jobs.job set heartbeat_on = heartbeat_on - interval '1 day'
         where state = 'active' and id in (select job from saga.lease where machine = '${name}');
         update saga.machine set seen_at = seen_at - interval '1 day' where name = '${name}'`,
      ),
    agent(name, { args = [], env: more = {}, isTrusted = true, ...faulty } = {}) {
      const home = join(around, `home-${name}`);
      const data = join(around, `data-${name}`);
      const { clockAheadMs, hasSmallDisk = false } = faulty;
      cpSync(it.home, home, { recursive: true });
      mkdirSync(data);
      const words = ['agent', '--json', '--name', name, '--repo', it.origin];
      const { SAGA_TRUST: _, ...own } = { ...PLAIN_ENVIRONMENT, ...it.environment };
      const command = [
        ...(hasSmallDisk ? [...ON_SMALL_DISK, data] : []),
        process.execPath,
        ...(clockAheadMs === undefined ? [] : ['--import', SHIFT_CLOCK]),
        ...[SAGA, ...words, ...(isTrusted ? ['--trust'] : []), ...args],
      ];
      const child = spawn(command[0] as string, command.slice(1), {
        cwd: data,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...own,
          HOME: home,
          SAGA_DATA: data,
          SAGA_SESSION_DIR: join(data, 'saga-sessions'),
          ...env,
          ...(clockAheadMs === undefined ? {} : { CLOCK_AHEAD_MS: String(clockAheadMs) }),
          ...more,
        },
      });
      let said = '';
      let complained = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        complained += text;
      });
      const events = () =>
        said
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as AgentEvent);
      const agent: TestAgent = {
        name,
        process: child,
        data: hasSmallDisk ? seenBy(child.pid, data) : data,
        events,
        told: (type, id, times = 1) =>
          until(() => {
            const fitting = events().filter(
              (event) =>
                event.type === type && (id === undefined || ('id' in event && event.id === id)),
            );
            const isTold = fitting.length >= times;
            if (!isTold && child.exitCode !== null) {
              throw new Error(`${name} ended before it told ${type}:\n${said}\n${complained}`);
            }
            return isTold;
          }),
        said: () => `${said}\n${complained}`,
        ended: once(child, 'exit').then(([code]) => code as number | null),
      };
      agents.push(agent);
      return agent;
    },
    async [Symbol.asyncDispose]() {
      for (const { process } of agents) {
        if (process.exitCode !== null || process.signalCode !== null) continue;
        process.kill('SIGCONT');
        process.kill('SIGKILL');
      }
      await Promise.all(agents.map(({ ended }) => ended));
      await postgres[Symbol.asyncDispose]();
    },
  };
}
