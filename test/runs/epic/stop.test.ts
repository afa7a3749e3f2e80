import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { createEpics, look, pick, readEvents, readStoryEvents } from '../../rig/worker/epics.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';

const HANG = 'sleep 1000';

test('workers of an epic that is stopped are asked once, and have the time to commit', async () => {
  await using it = await createEpics({
    epics: { shop: { one: [], two: [] } },
    rehearsals: { one: { run: [HANG] }, two: { run: [HANG] } },
  });
  using tmux = createTmuxServer();
  const { environment: env } = tmux;
  expect((await it.saga(['run', 'shop'], { env })).code).toBe(0);
  const stories = ['one', 'two'];
  for (const id of stories) {
    await until(() =>
      readStoryEvents(it, id).some((event) => JSON.stringify(event).includes(HANG)),
    );
  }
  // From now on the remote is slow, so that the scheduler looks several times while its workers stop.
  const origin = it.git('remote', 'get-url', 'origin').trim();
  writeFileSync(join(origin, 'hooks/pre-receive'), '#!/bin/sh\nsleep 4\n');
  chmodSync(join(origin, 'hooks/pre-receive'), 0o755);
  for (const id of stories) writeFileSync(join(it.worktrees, id, `${id}.txt`), 'half\n');

  expect(await it.saga(['stop', 'shop'], { env })).toMatchObject({ code: 0 });
  for (const id of stories) {
    expect(pick(readStoryEvents(it, id), 'worker:end')).toMatchObject([{ kind: 'stopped' }]);
    expect(it.git('show', `story/${id}:${id}.txt`)).toBe('half\n');
  }
  expect(pick(readEvents(it), 'worker:end')).toMatchObject([{ kind: 'stopped' }]);
  expect((await look(it)).states).toEqual({ one: 'interrupted', two: 'interrupted' });
  const { stdout } = await it.saga(['status', 'shop'], { env: { ...env, COLUMNS: '200' } });
  expect(stdout).not.toContain('killed');
});
