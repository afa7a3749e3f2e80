import { randomUUID } from 'node:crypto';
import type {
  Job,
  JobQueue,
  JobState,
  Lease,
  RepositoryName,
  Taker,
} from '@saga-ai/core/fleet/engine';
import type { LaunchEnd } from '@saga-ai/core/sessions/launcher';
import type { JobInsert, JobWithMetadata } from 'pg-boss';
import type { Bell } from './bell.ts';
import type { Database } from './database.ts';
import { JOBS_SCHEMA } from './tables.ts';

export interface JobSettings {
  leaseSeconds: number;
  keepDays: number;
}

interface QueueRow {
  name: string;
  repository: string;
  kind: Job['kind'];
  needs: string[];
}

/**
 * The longest time of a job, a day, because pg-boss allows no more. A job that takes longer is taken again, as after a
 * crash.
 */
const LONGEST_SECONDS = 24 * 60 * 60;
/** How many machines may lose one job before it counts as failed. */
const MOST_MACHINES = 50;
/** How long the list of queues is remembered. New queues are rare and announced, but an announcement may get lost. */
const QUEUES_KNOWN_MS = 10_000;
/**
 * The most ended jobs that are listed. Everybody who waits for an end lists the jobs at every ring, so the list must
 * stay short.
 */
const MOST_ENDED = 1000;
/** This many ended jobs are always listed, for people, however long ago they ended. */
const ALWAYS_LISTED = 10;
const MOST_AT_ONCE = 500;

type Taken = Pick<Lease, 'number' | 'takenAt'>;

/** All that are open, those that ended within a day, and the newest ones that ended. */
const LIST = `
with ended as (
  select id, name, completed_on, row_number() over (order by completed_on desc nulls last) as rank
  from ${JOBS_SCHEMA}.job
  where name = any($1) and state in ('completed', 'cancelled', 'failed')
  order by completed_on desc nulls last limit ${MOST_ENDED}
),
listed as (
  select id, name from ${JOBS_SCHEMA}.job
  where name = any($1) and state in ('created', 'retry', 'active')
  union all
  select id, name from ended
  where rank <= ${ALWAYS_LISTED} or completed_on > now() - interval '1 day'
)
select j.name as queue, j.data, j.state, j.created_on as "queuedAt",
  j.completed_on as "completedAt", j.heartbeat_on as "seenAt",
  j.output, l.number, l.machine, l.taken_at as "takenAt"
from listed
join ${JOBS_SCHEMA}.job j on j.name = listed.name and j.id = listed.id
left join lateral (
  select number, machine, taken_at from saga.lease where job = j.id order by number desc limit 1
) l on true
order by j.created_on desc`;

interface Offer {
  job: Job;
  queue: string;
  id: string;
}

/** Stories and epics of a repository that need the same labels share a queue. */
export class Jobs implements JobQueue {
  readonly #database: Database;
  readonly #bell: Bell;
  readonly #settings: JobSettings;
  readonly #made = new Set<string>();
  #queues: { rows: QueueRow[]; at: number } | undefined;

  constructor(database: Database, bell: Bell, settings: JobSettings) {
    this.#database = database;
    this.#bell = bell;
    this.#settings = settings;
  }

  async offer(job: Job): Promise<'queued' | 'already'> {
    const [answer] = await this.offerAll([job]);
    return answer ?? 'already';
  }

  /** Hands over several jobs at once. The answers are in the order of the jobs. */
  async offerAll(jobs: readonly Job[]): Promise<('queued' | 'already')[]> {
    const rows: Offer[] = [];
    for (const job of jobs)
      rows.push({ job, queue: await this.#ensureQueue(job), id: randomUUID() });
    const queued = new Set<string>();
    for (const [queue, offers] of Map.groupBy(rows, (it) => it.queue)) {
      for (let i = 0; i < offers.length; i += MOST_AT_ONCE) {
        for (const id of await this.#insert(queue, offers.slice(i, i + MOST_AT_ONCE)))
          queued.add(id);
        await this.#bell.ring(`job/${queue}`);
      }
    }
    return rows.map(({ id }) => (queued.has(id) ? 'queued' : 'already'));
  }

  /** Returns the ids of those that were not queued or under way before. */
  async #insert(queue: string, offers: readonly Offer[]): Promise<string[]> {
    const jobs: JobInsert[] = [];
    for (const { job, id } of offers) {
      // If the labels changed, the job may still be in another queue.
      if (await this.#isElsewhere(queue, job)) continue;
      jobs.push({ id, data: { ...job }, singletonKey: keyOf(job) });
    }
    if (jobs.length === 0) return [];
    return (await this.#database.ask((boss) => boss.insert(queue, jobs, { returnId: true }))) ?? [];
  }

  async #isElsewhere(queue: string, { repository, kind, id }: Job): Promise<boolean> {
    const others = (await this.#listQueues([repository.key], kind))
      .map(({ name }) => name)
      .filter((name) => name !== queue);
    if (others.length === 0) return false;
    const rows = await this.#database.query(
      `select 1 from ${JOBS_SCHEMA}.job where name = any($1) and singleton_key = $2
         and state in ('created', 'retry', 'active') limit 1`,
      [others, keyOf({ kind, id })],
    );
    return rows.length > 0;
  }

  async #ensureQueue({ repository, kind, needs }: Job): Promise<string> {
    const labels = [...new Set(needs)].sort();
    const name = nameQueue(repository, kind, labels);
    if (this.#made.has(name)) return name;
    const { leaseSeconds, keepDays } = this.#settings;
    await this.#database.ask((boss) =>
      boss.createQueue(name, {
        policy: 'exclusive',
        heartbeatSeconds: leaseSeconds,
        expireInSeconds: LONGEST_SECONDS - 1,
        retryLimit: MOST_MACHINES,
        retryDelay: 0,
        deleteAfterSeconds: keepDays * 24 * 60 * 60,
      }),
    );
    await this.#database.query(
      `insert into saga.queue (name, repository, kind, needs) values ($1, $2, $3, $4)
       on conflict (name) do nothing`,
      [name, repository.key, kind, labels],
    );
    this.#made.add(name);
    this.#queues = undefined;
    return name;
  }

  async take(who: Taker, kind: Job['kind'], most: number): Promise<Lease[]> {
    const leases: Lease[] = [];
    for (const { name } of await this.#queuesFor(who, kind)) {
      const left = most - leases.length;
      if (left <= 0) break;
      const jobs = await this.#database.ask((boss) =>
        boss.fetch<Job>(name, { batchSize: left, includeMetadata: true }),
      );
      if (jobs.length > 0) leases.push(...(await this.#lease(name, jobs, who.machine)));
    }
    return leases;
  }

  /**
   * Gives leases to the taken jobs. If this process is killed before that, the jobs are taken again after their time.
   */
  async #lease(queue: string, jobs: JobWithMetadata<Job>[], machine: string): Promise<Lease[]> {
    const rows = await this.#database.query<{ job: string; number: string; takenAt: Date }>(
      `insert into saga.lease (job, attempt, machine)
       select job, attempt, $3 from unnest($1::uuid[], $2::int[]) as taken (job, attempt)
       returning job, number, taken_at as "takenAt"`,
      [jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount), machine],
    );
    const taken = new Map(
      rows.map(({ job, number, takenAt }) => [
        job,
        { number: Number(number), takenAt: takenAt.getTime() },
      ]),
    );
    return jobs.map((job) => this.#toLease(queue, job, taken.get(job.id) as Taken));
  }

  #toLease(queue: string, { id, retryCount, data }: JobWithMetadata<Job>, taken: Taken): Lease {
    const { number, takenAt } = taken;
    const attempt = { id, retryCount };
    return {
      job: data,
      number,
      takenAt,
      earlier: retryCount,
      renew: async () => isAffected(await this.#database.ask((boss) => boss.touch(queue, attempt))),
      finish: async (end) => {
        const answer = await this.#database.ask((boss) =>
          boss.complete(queue, attempt, { end, number }),
        );
        // Callers that wait for the end listen to the news of the repository.
        await this.#bell.ring(`news/${data.repository.key}`);
        return isAffected(answer);
      },
      giveBack: async (reason) => {
        await this.#database.ask((boss) => boss.fail(queue, attempt, { reason }));
        await this.#bell.ring(`job/${queue}`);
      },
    };
  }

  listen(who: Taker, wake: () => void): Promise<AsyncDisposable> {
    const keys = who.repositories.map(({ key }) => `job/${key}/`);
    const isFor = (topic: string) => {
      if (!keys.some((key) => topic.startsWith(key))) return false;
      const [, , , ...labels] = topic.split('/');
      return labels.every((label) => who.labels.includes(label));
    };
    return this.#bell.listen(isFor, () => {
      this.#queues = undefined;
      wake();
    });
  }

  async list(repositoryKey: string): Promise<JobState[]> {
    const queues = await this.#listQueues([repositoryKey]);
    const needs = new Map(queues.map((it) => [it.name, it.needs]));
    const rows = await this.#database.query<StateRow>(LIST, [queues.map(({ name }) => name)]);
    return rows.map((row) => toState(row, needs.get(row.queue) ?? []));
  }

  async withdraw(repositoryKey: string, id: string): Promise<boolean> {
    let isWithdrawn = false;
    for (const { name, kind } of await this.#listQueues([repositoryKey])) {
      const rows = await this.#database.query<{ id: string }>(
        `select id from ${JOBS_SCHEMA}.job where name = $1 and singleton_key = $2
           and state in ('created', 'retry')`,
        [name, keyOf({ kind, id })],
      );
      for (const row of rows) {
        await this.#database.ask((boss) => boss.cancel(name, row.id));
        isWithdrawn = true;
      }
    }
    return isWithdrawn;
  }

  /**
   * Lists the queues for a machine. Queues that need most labels come first, because few other machines can take their
   * jobs.
   */
  async #queuesFor({ labels, repositories }: Taker, kind: Job['kind']): Promise<QueueRow[]> {
    const keys = repositories.map(({ key }) => key);
    return (await this.#listQueues(keys, kind))
      .filter(({ needs }) => needs.every((label) => labels.includes(label)))
      .sort((a, b) => b.needs.length - a.needs.length);
  }

  async #listQueues(keys: readonly string[], kind?: Job['kind']): Promise<QueueRow[]> {
    const now = Date.now();
    if (this.#queues === undefined || now - this.#queues.at > QUEUES_KNOWN_MS) {
      const rows = await this.#database.query<QueueRow>(
        'select name, repository, kind, needs from saga.queue order by name',
      );
      this.#queues = { rows, at: now };
    }
    return this.#queues.rows.filter(
      (it) => keys.includes(it.repository) && (kind === undefined || it.kind === kind),
    );
  }
}

interface StateRow {
  queue: string;
  data: Job;
  state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed';
  queuedAt: Date;
  completedAt: Date | null;
  seenAt: Date | null;
  output: { end?: LaunchEnd; value?: { message?: string } } | null;
  number: string | null;
  machine: string | null;
  takenAt: Date | null;
}

function toState(row: StateRow, needs: readonly string[]): JobState {
  const { data, state, queuedAt, completedAt, seenAt, output, number, machine, takenAt } = row;
  const isQueued = state === 'created' || state === 'retry';
  const isActive = state === 'active';
  const end = output?.end ?? (isQueued || isActive ? undefined : toEnd(state));
  return {
    id: data.id,
    kind: data.kind,
    state: isQueued ? 'queued' : isActive ? 'active' : 'ended',
    needs,
    by: data.by,
    queuedAt: queuedAt.toISOString(),
    takenAt: isQueued || takenAt === null ? undefined : takenAt.toISOString(),
    endedAt: completedAt === null ? undefined : completedAt.toISOString(),
    machine: isQueued || machine === null ? undefined : machine,
    lease: isQueued || number === null ? undefined : Number(number),
    seenAt: isActive && seenAt !== null ? seenAt.toISOString() : undefined,
    end,
  };
}

function toEnd(state: StateRow['state']): LaunchEnd {
  return state === 'cancelled'
    ? { kind: 'stopped', reason: 'it was taken out of the queue', exitCode: 2 }
    : {
        kind: 'error',
        reason: `${MOST_MACHINES} machines lost it, one after the other`,
        exitCode: 1,
      };
}

const keyOf = ({ kind, id }: Pick<Job, 'kind' | 'id'>) => `${kind}/${id}`;

/** The name of a queue is also the topic that is rung for it. */
const nameQueue = ({ key }: RepositoryName, kind: Job['kind'], labels: readonly string[]) =>
  [key, kind, ...labels].join('/');

/** Whether a command of pg-boss changed a job. The types of pg-boss do not describe its answer. */
function isAffected(answer: object): boolean {
  return 'affected' in answer && answer.affected === 1;
}
