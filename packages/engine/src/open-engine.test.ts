import type { Job, Taker } from '@saga-ai/core/fleet/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../../../test/rig/postgres/start-postgres.ts';
import { until } from '../../../test/rig/programs/until.ts';
import { initEngine, openEngine } from './open-engine.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
  await initEngine(postgres.url);
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** Leases last longer than a slow machine needs, unless a test waits for the end of one. */
const open = (role: 'agent' | 'reader' = 'reader', leaseSeconds = 600) =>
  openEngine({ url: postgres.url, name: 'test', role, leaseSeconds });

let repositories = 0;
function newRepository() {
  const key = `r${++repositories}`;
  return { key, url: `https://git.example/${key}` };
}

function jobOf(repository: Job['repository'], id: string, more: Partial<Job> = {}): Job {
  return {
    repository,
    kind: 'story',
    id,
    needs: [],
    flags: {},
    anyway: false,
    by: 'desk',
    ...more,
  };
}

const machine = (repository: Job['repository'], name = 'm1', labels: string[] = []): Taker => ({
  machine: name,
  labels,
  repositories: [repository],
});

describe('jobs', () => {
  test('a job is taken once, and its end is kept', async () => {
    const engine = await open();
    const here = newRepository();
    expect(await engine.jobs.offer(jobOf(here, 'cart', { flags: { worker: 'x' } as never }))).toBe(
      'queued',
    );
    expect(await engine.jobs.offer(jobOf(here, 'cart'))).toBe('already');
    const [lease, ...more] = await engine.jobs.take(machine(here), 'story', 5);
    expect(more).toEqual([]);
    expect(lease?.job).toMatchObject({ id: 'cart', by: 'desk', flags: { worker: 'x' } });
    expect(await engine.jobs.take(machine(here, 'm2'), 'story', 5)).toEqual([]);
    expect(await engine.jobs.offer(jobOf(here, 'cart'))).toBe('already');
    expect(await lease?.renew()).toBe(true);
    expect(await engine.jobs.list(here.key)).toMatchObject([
      { id: 'cart', state: 'active', machine: 'm1', lease: lease?.number },
    ]);
    expect(await lease?.finish({ kind: 'done', reason: 'all done', exitCode: 0 })).toBe(true);
    expect(await lease?.renew()).toBe(false);
    expect(await engine.jobs.list(here.key)).toMatchObject([
      { id: 'cart', state: 'ended', end: { kind: 'done', reason: 'all done' } },
    ]);
    expect(await engine.jobs.offer(jobOf(here, 'cart'))).toBe('queued');
    await engine.close();
  });

  test('repositories and kinds see nothing of each other', async () => {
    const engine = await open();
    const [here, there] = [newRepository(), newRepository()];
    await engine.jobs.offer(jobOf(here, 'cart'));
    await engine.jobs.offer(jobOf(here, 'shop', { kind: 'epic' }));
    expect(await engine.jobs.take(machine(there), 'story', 5)).toEqual([]);
    expect(await engine.jobs.list(there.key)).toEqual([]);
    const epics = await engine.jobs.take(machine(here), 'epic', 5);
    expect(epics.map(({ job }) => job.id)).toEqual(['shop']);
    await engine.close();
  });

  test('labels decide who takes a job, and a change of labels makes no second job', async () => {
    const engine = await open();
    const here = newRepository();
    await engine.jobs.offer(jobOf(here, 'train', { needs: ['gpu', 'linux'] }));
    await engine.jobs.offer(jobOf(here, 'plain'));
    expect(await engine.jobs.offer(jobOf(here, 'train', { needs: ['gpu'] }))).toBe('already');
    const plain = await engine.jobs.take(machine(here, 'm1', ['linux']), 'story', 5);
    expect(plain.map(({ job }) => job.id)).toEqual(['plain']);
    const both = await engine.jobs.take(machine(here, 'm2', ['linux', 'gpu']), 'story', 5);
    expect(both.map(({ job }) => job.id)).toEqual(['train']);
    await engine.close();
  });

  test('what a machine gives back goes to the next one, with a higher number', async () => {
    const engine = await open();
    const here = newRepository();
    await engine.jobs.offer(jobOf(here, 'cart'));
    const [first] = await engine.jobs.take(machine(here), 'story', 1);
    await first?.giveBack('the machine is being shut down');
    const [second] = await engine.jobs.take(machine(here, 'm2'), 'story', 1);
    expect(second).toMatchObject({ earlier: 1, job: { id: 'cart' } });
    expect(second?.number).toBeGreaterThan(first?.number ?? 0);
    expect(await first?.renew()).toBe(false);
    expect(await first?.finish({ kind: 'done', reason: 'late', exitCode: 0 })).toBe(false);
    expect(await engine.jobs.list(here.key)).toMatchObject([{ state: 'active', machine: 'm2' }]);
    await engine.close();
  });

  test('the lease of a machine that says nothing is lost, and another machine is woken', async () => {
    const [dead, alive] = [await open('reader', 10), await open('agent')];
    const here = newRepository();
    await dead.jobs.offer(jobOf(here, 'cart'));
    const [lost] = await dead.jobs.take(machine(here), 'story', 1);
    const who = machine(here, 'm2');
    let lease: Awaited<ReturnType<typeof alive.jobs.take>>[number] | undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const take = async () => {
      const [taken] = await alive.jobs.take(who, 'story', 1);
      lease ??= taken;
      if (taken) resolve();
    };
    await using _listening = await alive.jobs.listen(who, () => void take());
    await promise;
    expect(lease).toMatchObject({ earlier: 1 });
    expect(await lost?.renew()).toBe(false);
    await Promise.all([dead.close(), alive.close()]);
  });

  test('a queued job can be withdrawn, one under way cannot', async () => {
    const engine = await open();
    const here = newRepository();
    await engine.jobs.offer(jobOf(here, 'cart'));
    expect(await engine.jobs.withdraw(here.key, 'cart')).toBe(true);
    expect(await engine.jobs.take(machine(here), 'story', 1)).toEqual([]);
    expect(await engine.jobs.list(here.key)).toMatchObject([{ end: { kind: 'stopped' } }]);
    await engine.jobs.offer(jobOf(here, 'cart'));
    await engine.jobs.take(machine(here), 'story', 1);
    expect(await engine.jobs.withdraw(here.key, 'cart')).toBe(false);
    await engine.close();
  });

  test('what ended long ago is not listed, except the newest ones', async () => {
    const engine = await open();
    const here = newRepository();
    const ids = Array.from({ length: 25 }, (_, i) => `s${i}`);
    await engine.jobs.offerAll(ids.map((id) => jobOf(here, id)));
    const leases = await engine.jobs.take(machine(here), 'story', 25);
    for (const it of leases) await it.finish({ kind: 'done', reason: 'done', exitCode: 0 });
    await engine.jobs.offerAll([jobOf(here, 's0'), jobOf(here, 'waits')]);
    const listed = async () =>
      (await engine.jobs.list(here.key)).map(({ id, state }) => [id, state]);
    const queued = [
      ['s0', 'queued'],
      ['waits', 'queued'],
    ];
    const ended = leases.map(({ job }) => [job.id, 'ended']);
    const sorted = (rows: string[][]) => rows.map(String).sort();
    expect(sorted(await listed())).toEqual(sorted([...queued, ...ended]));
    // Two days ago; those that were taken last also ended last.
    const aged = leases.map(
      ({ job }, i) =>
        `update saga_jobs.job set completed_on = now() - interval '2 days' + ${i} * interval '1 second'
         where data -> 'repository' ->> 'key' = '${here.key}' and data ->> 'id' = '${job.id}' and state = 'completed'`,
    );
    postgres.run(aged.join(';\n'));
    expect(sorted(await listed())).toEqual(sorted([...queued, ...ended.slice(-10)]));
    await engine.close();
  });

  test('of many that ended within a day, the newest thousand are listed, and every open one', async () => {
    const engine = await open();
    const here = newRepository();
    const ids = Array.from({ length: 1100 }, (_, i) => `s${i}`);
    await engine.jobs.offerAll(ids.map((id) => jobOf(here, id)));
    postgres.run(
      `update saga_jobs.job set state = 'completed',
         completed_on = now() - interval '1 hour' + substr(data ->> 'id', 2)::int * interval '1 second'
       where data -> 'repository' ->> 'key' = '${here.key}'`,
    );
    await engine.jobs.offerAll(ids.map((id) => jobOf(here, `open-${id}`)));
    const listed = await engine.jobs.list(here.key);
    expect(listed.filter(({ state }) => state === 'queued')).toHaveLength(1100);
    const ended = listed.filter(({ state }) => state === 'ended').map(({ id }) => id);
    expect(ended.sort()).toEqual(ids.slice(100).sort());
    await engine.close();
  });

  test('eight machines at once take every job exactly once', async () => {
    const engines = await Promise.all(Array.from({ length: 8 }, () => open()));
    const here = newRepository();
    const ids = Array.from({ length: 40 }, (_, i) => `s${i}`);
    await engines[0]?.jobs.offerAll(ids.map((id) => jobOf(here, id)));
    const taken = await Promise.all(
      engines.map(async ({ jobs }, i) => {
        const leases = [];
        for (let round = 0; round < 40; round++) {
          const [lease] = await jobs.take(machine(here, `m${i}`), 'story', 1);
          if (lease === undefined) break;
          leases.push(lease);
        }
        return leases;
      }),
    );
    const all = taken.flat();
    expect(all.map(({ job }) => job.id).sort()).toEqual([...ids].sort());
    expect(new Set(all.map(({ number }) => number)).size).toBe(ids.length);
    await Promise.all(engines.map((engine) => engine.close()));
  });
});

describe('machines', () => {
  const report = (name: string, instance = 'a') => ({
    name,
    instance,
    labels: ['linux'],
    repositories: [{ key: 'r', url: 'https://git.example/r' }],
    jobs: 2,
    sagaVersion: '0.1.0',
    clientVersion: '2.1.325',
  });

  test('a machine is listed, and hears what people want of it', async () => {
    const engine = await open();
    expect(await engine.machines.report(report('anna'))).toBe('work');
    expect(await engine.machines.wish('anna', 'draining')).toBe(true);
    expect(await engine.machines.report(report('anna'))).toBe('draining');
    expect((await engine.machines.list()).find(({ name }) => name === 'anna')).toMatchObject({
      labels: ['linux'],
      repositories: [{ key: 'r', url: 'https://git.example/r' }],
      jobs: 2,
      busy: 0,
      clientVersion: '2.1.325',
      isAlive: true,
      wish: 'draining',
    });
    await engine.machines.leave('anna');
    expect(await engine.machines.wish('anna', 'paused')).toBe(false);
    await engine.close();
  });

  test('a machine says why it takes no jobs, and that it does again', async () => {
    const engine = await open();
    const find = async () => (await engine.machines.list()).find(({ name }) => name === 'carl');
    await engine.machines.report({ ...report('carl'), trouble: 'its disk is full' });
    expect(await find()).toMatchObject({ wish: 'work', trouble: 'its disk is full' });
    await engine.machines.report(report('carl'));
    expect((await find())?.trouble).toBeUndefined();
    await engine.machines.leave('carl');
    await engine.close();
  });

  test('two living machines cannot share a name', async () => {
    const engine = await open();
    await engine.machines.report(report('bert'));
    await expect(engine.machines.report(report('bert', 'b'))).rejects.toMatchObject({
      code: 'machine-name-taken',
      hint: expect.stringContaining('--name bert-2'),
    });
    await engine.close();
  });
});

describe('news', () => {
  const news = (session: string, from: number, lines: string[]) => ({
    session,
    story: 'cart',
    machine: 'm1',
    from,
    lines,
  });

  test('readers see every line once and in order, while many tell at once', async () => {
    const tellers = await Promise.all(Array.from({ length: 4 }, () => open()));
    const reader = await open();
    const here = newRepository();
    const told = Promise.all(
      tellers.map(async (engine, i) => {
        for (let n = 0; n < 25; n++)
          await engine.news.tell(here.key, news(`s${i}`, n, [`${i}:${n}`]));
      }),
    );
    const seen: string[] = [];
    let after = 0;
    await until(async () => {
      for (const it of await reader.news.read(here.key, after, 10)) {
        after = it.position;
        seen.push(...it.lines);
      }
      return seen.length >= 100;
    });
    await told;
    expect(new Set(seen).size).toBe(100);
    for (const i of tellers.keys()) {
      expect(seen.filter((line) => line.startsWith(`${i}:`))).toEqual(
        Array.from({ length: 25 }, (_, n) => `${i}:${n}`),
      );
    }
    await Promise.all([...tellers, reader].map((engine) => engine.close()));
  });

  test('a listener is woken by news of its repository only', async () => {
    const [teller, reader] = [await open(), await open()];
    const [here, there] = [newRepository(), newRepository()];
    const { promise, resolve } = Promise.withResolvers<void>();
    await using _listening = await reader.news.listen(here.key, resolve);
    await teller.news.tell(there.key, news('x', 0, ['not for us']));
    await teller.news.tell(here.key, news('y', 0, ['for us']));
    await promise;
    expect(await reader.news.read(here.key, 0, 10)).toMatchObject([
      { session: 'y', lines: ['for us'] },
    ]);
    await Promise.all([teller.close(), reader.close()]);
  });

  test('a word is heard until it is confirmed', async () => {
    const engine = await open();
    const here = newRepository();
    await engine.news.say(here.key, {
      story: 'cart',
      kind: 'tell',
      content: { text: 'Use tabs' },
      by: 'desk',
    });
    const [word] = await engine.news.hear(here.key, 'cart');
    expect(word).toMatchObject({ kind: 'tell', content: { text: 'Use tabs' }, by: 'desk' });
    expect(await engine.news.hear(here.key, 'cart')).toHaveLength(1);
    expect(await engine.news.hear(here.key, 'other')).toEqual([]);
    await engine.news.heard([word?.id ?? 0]);
    expect(await engine.news.hear(here.key, 'cart')).toEqual([]);
    await engine.close();
  });
});

test('preparing may be repeated and keeps what is there', async () => {
  const engine = await open();
  const here = newRepository();
  await engine.jobs.offer(jobOf(here, 'cart'));
  await initEngine(postgres.url);
  expect(await engine.jobs.list(here.key)).toHaveLength(1);
  await engine.close();
});

test('an engine goes on after its database was restarted', async () => {
  await using other = await startPostgres();
  await initEngine(other.url);
  const engine = await openEngine({
    url: other.url,
    name: 'test',
    role: 'agent',
    leaseSeconds: 600,
  });
  const here = newRepository();
  await engine.jobs.offer(jobOf(here, 'cart'));
  const [lease] = await engine.jobs.take(machine(here), 'story', 1);
  let woken = 0;
  await using _listening = await engine.jobs.listen(machine(here), () => {
    woken += 1;
  });
  await other.stop();
  await expect(lease?.renew()).rejects.toMatchObject({ code: 'engine-unreachable' });
  await other.start();
  await until(async () => (await lease?.renew().catch(() => false)) === true);
  const before = woken;
  await engine.jobs.offer(jobOf(here, 'list'));
  await until(() => woken > before);
  expect(await lease?.finish({ kind: 'done', reason: 'done', exitCode: 0 })).toBe(true);
  await engine.close();
});
