import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createEpics } from '../../rig/worker/epics.ts';
import { SHORT_LEASES, startFleet } from '../../rig/worker/fleet.ts';
import { titleOf } from './rows.ts';

test(titleOf('two schedulers'), {
  timeout: 900_000,
}, async () => {
  const waits = 'while [ ! -e "$HOME/../open" ]; do sleep 0.1; done';
  await using it = await createEpics({
    epics: { shop: { a: [], b: ['a'] } },
    rehearsals: { a: { run: [`${waits}; echo a > a.txt; git add a.txt; git commit -q -m a`] } },
  });
  await using fleet = await startFleet(it, SHORT_LEASES);
  const { env } = fleet;
  const ant = fleet.agent('ant');
  await ant.told('ready');
  expect(await it.saga(['run', 'shop', '--engine', '--no-pr'], { env })).toMatchObject({ code: 0 });
  await ant.told('taken', 'a');
  ant.process.kill('SIGSTOP');
  fleet.endLeases(ant);
  const bee = fleet.agent('bee');
  await bee.told('taken', 'shop');
  writeFileSync(join(dirname(it.home), 'open'), '');
  await bee.told('taken', 'a');
  ant.process.kill('SIGCONT');
  await ant.told('lost', 'shop');
  expect(await it.saga(['wait', 'shop'], { env, timeout: 600_000 })).toMatchObject({ code: 0 });
  it.git('fetch', '-q', 'origin');
  const merged = it.git('log', '--merges', '--format=%s', 'origin/epic/shop').trim().split('\n');
  expect(merged.sort()).toEqual(['a', 'b'].map((id) => `Merge story/${id} into epic/shop`));
});
