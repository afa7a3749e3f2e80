import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { createEpics, look, pick, readEvents, readStoryEvents } from '../../rig/worker/epics.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';

/** Runs until the file `go` lies beside the worktrees. */
const WAIT_FOR_GO = 'for i in $(seq 3000); do [ -e ../go ] && break; sleep 0.1; done';

test('a conflict is foretold while both stories are worked on; status says so, and the later run is told', async () => {
  const twoTasks = (id: string) => ({ [id]: {}, [`${id}-wait`]: { blockedBy: [id] } });
  await using it = await createEpics({
    epics: { shop: { one: [], two: [] } },
    tasks: { one: twoTasks('one'), two: twoTasks('two') },
    rehearsals: {
      one: { write: { 'same.txt': 'one\n' }, commit: 'One' },
      two: { write: { 'same.txt': 'two\n' }, commit: 'Two' },
      'one-wait': { run: [WAIT_FOR_GO] },
      'two-wait': { run: [WAIT_FOR_GO] },
    },
    mend: [
      'git merge -q epic/shop || true',
      'echo both > same.txt',
      'git add -A && git commit -q -m "Bring both together"',
    ].join('; '),
  });
  using tmux = createTmuxServer();
  const { environment: env } = tmux;
  expect((await it.saga(['run', 'shop'], { env })).code).toBe(0);

  // Both have committed, and neither is done.
  await until(() => pick(readEvents(it), 'epic:foretold').length > 0);
  const [foretold] = pick(readEvents(it), 'epic:foretold');
  expect(foretold).toMatchObject({ stories: ['one', 'two'], files: ['same.txt'] });
  expect(pick(readEvents(it), 'epic:merge')).toEqual([]);
  const { stdout } = await it.saga(['status', 'shop'], { env: { ...env, COLUMNS: '200' } });
  expect(stdout).toContain('conflict expected between one and two: same.txt');

  // The run of the later story reads it with the result of its step, in the same conversation.
  await until(() => pick(readStoryEvents(it, 'two'), 'message:sent').length > 0);
  expect(pick(readStoryEvents(it, 'one'), 'message:sent')).toEqual([]);
  writeFileSync(join(it.worktrees, 'go'), '');
  await until(() => pick(readEvents(it), 'worker:end').length > 0);
  const shown = it.model.requests.map(({ body }) => JSON.stringify(body));
  const told = '> Conflict expected with one: Both stories change same.txt.';
  expect(shown.filter((body) => body.includes(told)).length).toBeGreaterThan(0);

  // It came as foretold, and one run brought both together.
  expect(pick(readEvents(it), 'epic:not-merged').map(({ why }) => why)).toEqual(['conflict']);
  expect(it.git('show', 'epic/shop:same.txt')).toBe('both\n');
  expect((await look(it)).states).toEqual({ one: 'done', two: 'done' });
});
