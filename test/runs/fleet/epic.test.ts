import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { createEpics, look } from '../../rig/worker/epics.ts';
import { SHORT_LEASES, startFleet, useGitHub } from '../../rig/worker/fleet.ts';
import { titleOf } from './rows.ts';

const LONG = { timeout: 900_000 };

/** Twelve stories and what each of them waits for. */
const STORIES: Record<string, string[]> = {
  ...{ a: [], b: [], c: [] },
  ...{ d: ['a'], e: ['a', 'b'], f: ['c'] },
  ...{ g: ['d', 'e'], h: ['f'], i: ['f'] },
  ...{ j: ['g'], k: ['g', 'h'], l: ['i'] },
};

test(
  'three machines carry an epic of twelve stories through, and its branch has everything once',
  LONG,
  async () => {
    const ids = Object.keys(STORIES);
    await using it = await createEpics({
      epics: { shop: STORIES },
      config: { gate: { verify: 'true' } },
    });
    useGitHub(it);
    await using fleet = await startFleet(it);
    const { env } = fleet;
    for (const name of ['ant', 'bee', 'cow']) fleet.agent(name);
    await Promise.all(fleet.agents().map((it) => it.told('ready')));
    const run = await it.saga(['run', 'shop', '--engine', '--jobs', '3'], { env });
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('handed over') });
    const waited = await it.saga(['wait', 'shop'], { env, timeout: 600_000 });
    expect(waited).toMatchObject({ code: 0 });
    const merges = it.git('ls-remote', 'origin', 'refs/heads/epic/shop').split('\t')[0] as string;
    it.git('fetch', '-q', 'origin');
    const merged = it.git('log', '--merges', '--format=%s', merges).trim().split('\n').sort();
    expect(merged).toEqual(ids.map((id) => `Merge story/${id} into epic/shop`));
    expect((await look({ ...it, saga: (args) => it.saga(args, { env }) })).states).toEqual(
      Object.fromEntries(ids.map((id) => [id, 'done'])),
    );
    const heads = ['epic/shop', ...ids.map((id) => `story/${id}`)];
    expect(it.github.pulls.map(({ head }) => head).sort()).toEqual(heads);
    expect(it.github.pulls.filter(({ isDraft }) => isDraft)).toEqual([]);
    const ended = () =>
      fleet
        .agents()
        .flatMap((agent) => agent.events())
        .flatMap((it) => (it.type === 'ended' ? it.id : []));
    // The engine knows it first; then the machine says it.
    await until(() => ended().includes('shop'));
    expect(ended().sort()).toEqual([...ids, 'shop']);
  },
);

test(titleOf('scheduler killed', 'handed over twice'), LONG, async () => {
  const gate = {
    run: [
      'while [ ! -e "$HOME/../open" ]; do sleep 0.1; done; echo b > b.txt; git add b.txt; git commit -q -m b',
    ],
  };
  await using it = await createEpics({
    epics: { shop: { a: [], b: ['a'], c: ['b'] } },
    rehearsals: { b: gate },
  });
  await using fleet = await startFleet(it, SHORT_LEASES);
  const { env } = fleet;
  const ant = fleet.agent('ant');
  await ant.told('ready');
  const run = () => it.saga(['run', 'shop', '--engine', '--no-pr', '--json'], { env });
  expect(JSON.parse((await run()).stdout)).toMatchObject({ handedOver: 'queued' });
  await ant.told('taken', 'shop');
  expect(JSON.parse((await run()).stdout)).toMatchObject({ handedOver: 'already' });
  // One place for a story is enough to carry an epic, and it works on b when it dies.
  await ant.told('taken', 'b');
  for (const name of ['bee', 'cow']) fleet.agent(name);
  await Promise.all(fleet.agents().map((agent) => agent.told('ready')));
  ant.process.kill('SIGKILL');
  await ant.ended;
  fleet.endLeases(ant);
  writeFileSync(join(dirname(it.home), 'open'), '');
  expect(await it.saga(['wait', 'shop'], { env, timeout: 600_000 })).toMatchObject({ code: 0 });
  it.git('fetch', '-q', 'origin');
  const merged = it.git('log', '--merges', '--format=%s', 'origin/epic/shop').trim().split('\n');
  expect(merged.sort()).toEqual(['a', 'b', 'c'].map((id) => `Merge story/${id} into epic/shop`));
  const leases = it.git('log', '--format=%(trailers:key=Saga-Lease,valueonly)', 'origin/epic/shop');
  expect(leases.match(/\d+/g)).not.toBeNull();
});
