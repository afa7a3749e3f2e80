import type { Overview } from '@saga-ai/types/screens/overview';
import { expect, test } from 'vitest';
import { createTmuxServer } from '../rig/worker/tmux-server.ts';
import { createWorkshop, type Workshop, type WorkshopOptions } from '../rig/worker/workshop.ts';

/** An epic with these children, committed and pushed. Each story has one task, named like the story. */
async function createEpic(
  children: Record<string, string[]>,
  stories: Record<string, object> = {},
  options: WorkshopOptions = {},
): Promise<Workshop> {
  const it = await createWorkshop(options);
  for (const id of Object.keys(children))
    it.story(id, { epic: 'shop', ...stories[id] }, { [id]: {} });
  it.epic('shop', children);
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  it.git('push', '-q', 'origin', 'main');
  return it;
}

async function look(it: Workshop) {
  const { stories, epics } = JSON.parse((await it.saga(['status', '--json'])).stdout) as Overview;
  return {
    states: Object.fromEntries(stories.map(({ id, state }) => [id, state])),
    epic: epics[0],
  };
}

const eventsOf = (it: Workshop) => it.events().filter(({ type }) => type.startsWith('epic:'));

test('a diamond: two stories in parallel, each merged and verified, the epic ready for review', async () => {
  const children = { base: [], left: ['base'], right: ['base'], top: ['left', 'right'] };
  await using it = await createEpic(children, {}, {});
  using tmux = createTmuxServer();
  it.write('.saga/config.json', { gate: { verify: 'ls' } });
  it.git('commit', '-qam', 'Verify');
  it.git('push', '-q', 'origin', 'main');
  const ended = await it.saga(['run', 'shop', '--foreground', '--no-wait'], {
    env: tmux.environment,
  });
  console.log(ended.stdout, ended.stderr);
  expect(ended.code).toBe(0);
  const { states, epic } = await look(it);
  expect(states).toEqual({ base: 'done', left: 'done', right: 'done', top: 'done' });
  expect(epic).toMatchObject({ state: 'in review', progress: { completed: 4, total: 4 } });
  console.log(it.git('log', '--oneline', '--graph', 'epic/shop'));
  console.log(JSON.stringify(eventsOf(it), null, 1));
});
