import type { SessionsJson } from '@saga-ai/types/screens/json/run';
import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { expectJson } from '../../rig/screens/expect-json.ts';
import { createEpics, look, pick, readEvents } from '../../rig/worker/epics.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';

/** Begins only once others have begun, too: so none of them knows the work of another. */
const together = (id: string, ...others: string[]) => [
  `touch ../${id}-began`,
  ...others.map((other) => `until [ -e ../${other}-began ]; do sleep 0.1; done`),
];

/** Waits until the scheduler has noted that so many stories were started. */
const untilStarted = (count: number) =>
  `until [ $(cat ../../sessions/saga-epic-*.jsonl | grep -c '"epic:started"') -ge ${count} ]; do sleep 0.1; done`;

test('a diamond: two stories in parallel, each merged and verified, the epic ready for review', async () => {
  await using it = await createEpics({
    epics: { shop: { base: [], left: ['base'], right: ['base'], top: ['left', 'right'] } },
    config: { gate: { verify: 'ls' } },
    rehearsals: {
      left: {
        run: [...together('left', 'right'), untilStarted(3)],
        write: { 'left.txt': 'l\n' },
        commit: 'Left',
      },
      right: {
        run: [...together('right', 'left'), untilStarted(3)],
        write: { 'right.txt': 'r\n' },
        commit: 'Right',
      },
    },
  });
  using tmux = createTmuxServer();
  const { environment: env } = tmux;
  const planned = await it.saga(['run', 'shop', '--dry-run'], { env });
  await expectJson('run', (await it.saga(['run', 'shop', '--dry-run', '--json'], { env })).stdout);
  expect(planned.stdout).toContain('critical path  base → left → top');
  const ended = await it.saga(['run', 'shop', '--foreground'], { env });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).toContain('4 stories merged into epic/shop');
  expect(await look(it)).toEqual({
    states: { base: 'done', left: 'done', right: 'done', top: 'done' },
    epics: { shop: 'in review' },
  });

  const events = readEvents(it);
  const merged = pick(events, 'epic:merged');
  expect(merged.map(({ story }) => story).toSorted()).toEqual(['base', 'left', 'right', 'top']);
  // The second of the two differs from what its own gate saw, so it is verified once more.
  expect(merged.map(({ verified }) => verified)).toEqual(['gate', 'gate', 'verify', 'gate']);
  const order = events.flatMap((event) =>
    event.type === 'epic:started' || event.type === 'epic:ended' ? [event.type] : [],
  );
  expect(order.slice(2, 4)).toEqual(['epic:started', 'epic:started']);

  // One pull request each, of the stories against the epic, of the epic against the default branch.
  const pulls = it.github.pulls.map(({ head, base, isDraft }) => ({ head, base, isDraft }));
  expect(pulls.toSorted((a, b) => (a.head < b.head ? -1 : 1))).toEqual([
    { head: 'epic/shop', base: 'main', isDraft: false },
    ...['base', 'left', 'right', 'top'].map((id) => ({
      head: `story/${id}`,
      base: 'epic/shop',
      isDraft: false,
    })),
  ]);
  expect(it.git('rev-parse', 'epic/shop')).toBe(it.git('rev-parse', 'origin/epic/shop'));
  expect(it.git('worktree', 'list')).not.toContain('epic/shop');

  // Run again, there is nothing to do.
  const again = await it.saga(['run', 'shop', '--foreground'], { env });
  expect(again.code).toBe(0);
  expect(pick(readEvents(it), 'epic:started')).toHaveLength(4);
});

/** Waits until the first story is merged, which began beside the others. */
const AFTER_ONE =
  'until git fetch -q origin epic/shop && git cat-file -e FETCH_HEAD:one.txt; do sleep 0.3; done';

test('what conflicts, and what does not verify once merged, is mended by one run; the branch never moves to it', async () => {
  await using it = await createEpics({
    epics: { shop: { one: [], two: [], inner: [] }, inner: { three: [] } },
    config: { gate: { verify: 'test ! -f one.txt -o ! -f three.txt' }, epic: { jobs: 3 } },
    rehearsals: {
      one: {
        run: together('one', 'two', 'three'),
        write: { 'same.txt': 'one\n', 'one.txt': '1\n' },
        commit: 'One',
      },
      two: { run: [...together('two'), AFTER_ONE], write: { 'same.txt': 'two\n' }, commit: 'Two' },
      three: {
        run: [...together('three'), AFTER_ONE],
        write: { 'three.txt': '3\n' },
        commit: 'Three',
      },
    },
    mend: [
      'git merge -q epic/shop || true',
      'echo both > same.txt',
      'git add -A && git commit -q -m "Bring both together"',
    ].join('; '),
  });
  using tmux = createTmuxServer();
  const ended = await it.saga(['run', 'shop', '--foreground', '--no-wait'], {
    env: tmux.environment,
  });
  const events = readEvents(it);
  const [conflict] = pick(events, 'epic:not-merged').filter(({ why }) => why === 'conflict');
  expect(conflict).toMatchObject({ into: 'epic/shop', files: ['same.txt'], isTold: true });
  expect(it.git('show', 'epic/shop:same.txt')).toBe('both\n');
  const { states, epics } = await look(it);
  expect(states).toMatchObject({ one: 'done', two: 'done' });

  // The inner epic does not fit into the outer one: nothing of it is on that branch, and a person is asked.
  expect(ended.code).toBe(3);
  const [red] = pick(events, 'epic:not-merged').filter(({ why }) => why === 'verify');
  expect(red).toMatchObject({ story: 'inner', into: 'epic/shop', isTold: false });
  expect(it.git('ls-tree', '--name-only', 'epic/shop')).not.toContain('three.txt');
  expect(it.git('show', 'epic/inner:three.txt')).toBe('3\n');
  expect(epics).toMatchObject({ inner: 'needs you', shop: 'needs you' });
});

test('a question holds up only what depends on it; killed and run again, it goes on after the answer', async () => {
  await using it = await createEpics({
    epics: { shop: { ask: [], after: ['ask'], beside: [] } },
    rehearsals: {
      ask: { blocker: { title: 'Which currency?' }, write: { 'ask.txt': 'Euro\n' }, commit: 'Ask' },
    },
  });
  using tmux = createTmuxServer();
  const { environment: env } = tmux;
  const started = await it.saga(['run', 'shop'], { env });
  expect(started.stdout).toContain('3 stories, 2 at the same time');
  await until(() => pick(readEvents(it), 'epic:waits').length > 0);
  const [waits] = pick(readEvents(it), 'epic:waits');
  expect(waits).toMatchObject({ stories: ['ask'], cutOff: ['after'] });
  expect((await look(it)).states).toEqual({
    ask: 'needs you',
    after: 'waiting',
    beside: 'done',
  });
  const refused = await it.saga(['run', 'shop', '--foreground'], { env });
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is being run already'),
  });

  // Killed; a new one finds everything again.
  const listed = JSON.parse(
    (await it.saga(['sessions', '--json'], { env })).stdout,
  ) as SessionsJson;
  const scheduler = listed.sessions.find(({ isEpic }) => isEpic);
  process.kill(scheduler?.pid ?? 0, 'SIGKILL');
  await until(async () => {
    const { stdout } = await it.saga(['sessions', '--json'], { env });
    const { sessions } = JSON.parse(stdout) as SessionsJson;
    return sessions.some(({ isEpic, state }) => isEpic && state === 'died');
  });
  expect((await it.saga(['run', 'shop'], { env })).code).toBe(0);
  await until(() => pick(readEvents(it), 'epic:waits').length > 1);
  const paused = await it.saga(['pause', 'shop', '--json'], { env });
  await expectJson('pause', paused.stdout);
  await it.saga(['resolve', 'ask', '--with', 'Euro'], { env });
  const continued = await it.saga(['continue', 'shop', '--json'], { env });
  await expectJson('continue', continued.stdout);
  // The one that was refused ended too.
  const ends = () => pick(readEvents(it), 'worker:end').map(({ kind }) => kind);
  await until(() => ends().length > 1);
  expect(ends()).toEqual(['error', 'done']);
  expect((await look(it)).states).toEqual({ ask: 'done', after: 'done', beside: 'done' });
  const merged = pick(readEvents(it), 'epic:merged').map(({ story }) => story);
  expect(merged.toSorted()).toEqual(['after', 'ask', 'beside']);
});
