import { SagaError } from '@saga-ai/core/errors';
import type { Machine, MachineReport, MachineRoll, MachineWish } from '@saga-ai/core/fleet/engine';
import type { Database } from './database.ts';
import { JOBS_SCHEMA } from './tables.ts';

interface Row {
  name: string;
  labels: string[];
  repositories: { key: string; url: string }[];
  jobs: number;
  busy: number;
  sagaVersion: string;
  clientVersion: string;
  since: Date;
  seenAt: Date;
  wish: MachineWish;
  trouble: string | null;
  isAlive: boolean;
}

/** Registers a machine. A machine that starts again takes jobs, unless a person paused it. */
const ENTER = `
insert into saga.machine
  (name, instance, labels, repositories, jobs, saga_version, client_version, trouble)
values ($1, $2, $3, $4::jsonb, $5, $6, $7, $9)
on conflict (name) do update set
  instance = excluded.instance, labels = excluded.labels, repositories = excluded.repositories,
  jobs = excluded.jobs, saga_version = excluded.saga_version,
  client_version = excluded.client_version, trouble = excluded.trouble, seen_at = clock_timestamp(),
  since = case when saga.machine.instance = excluded.instance then saga.machine.since
          else clock_timestamp() end,
  wish = case when saga.machine.instance = excluded.instance or saga.machine.wish = 'paused'
         then saga.machine.wish else 'work' end
where saga.machine.instance = excluded.instance
   or saga.machine.seen_at < clock_timestamp() - $8 * interval '1 second'
returning wish`;

export function openMachines(database: Database, leaseSeconds: number): MachineRoll {
  return {
    async report(machine: MachineReport) {
      const { name, instance, labels, repositories, jobs, sagaVersion, clientVersion } = machine;
      const [row] = await database.query<{ wish: MachineWish }>(ENTER, [
        name,
        instance,
        labels,
        JSON.stringify(repositories),
        jobs,
        sagaVersion,
        clientVersion,
        leaseSeconds,
        machine.trouble ?? null,
      ]);
      if (row) return row.wish;
      throw new SagaError(
        'machine-name-taken',
        `A machine called ${name} is at work in this fleet already.`,
        `Give this one another name: saga agent --name ${name}-2. If the other one was just killed, wait ${leaseSeconds} s.`,
      );
    },
    async leave(name) {
      await database.query('delete from saga.machine where name = $1', [name]);
    },
    async list(): Promise<Machine[]> {
      const rows = await database.query<Row>(
        `select name, labels, repositories, jobs, saga_version as "sagaVersion",
           (select count(*)::int from saga.lease l join ${JOBS_SCHEMA}.job j on j.id = l.job
             where l.machine = m.name and j.retry_count = l.attempt and j.state = 'active'
               and j.data ->> 'kind' = 'story') as busy,
           client_version as "clientVersion", since, seen_at as "seenAt", wish, trouble,
           seen_at > clock_timestamp() - $1 * interval '1 second' as "isAlive"
         from saga.machine m order by name`,
        [leaseSeconds],
      );
      return rows.map(({ since, seenAt, trouble, ...rest }) => ({
        ...rest,
        trouble: trouble ?? undefined,
        since: since.toISOString(),
        seenAt: seenAt.toISOString(),
      }));
    },
    async wish(name, wish) {
      const rows = await database.query(
        'update saga.machine set wish = $2 where name = $1 returning name',
        [name, wish],
      );
      return rows.length > 0;
    },
  };
}
