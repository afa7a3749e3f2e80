import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTmuxServer } from '../rig/worker/tmux-server.ts';
import { createWorkshop } from '../rig/worker/workshop.ts';

const STORY = '.saga/stories/cart/story.json';

async function until(check: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(50)) if (await check()) return;
  throw new Error('It did not come to that.');
}

/** In tmux a worker has a terminal, and its view reads the story again every second. */
test.each([
  ['conflict markers in it', `printf '<<<<<<< HEAD' > ${STORY}`],
  ['it is gone', `rm ${STORY}`],
])(
  'a run that breaks story.json does not end a worker that has a terminal: %s',
  async (_, harm) => {
    const work = 'echo done > work.txt && git add work.txt && git commit -q -m Work';
    const run = [`${work}; ${harm}; sleep 2.5`];
    await using it = await createWorkshop({ rehearsals: { one: { run } } });
    using tmux = createTmuxServer();
    const env = tmux.environment;
    it.story('cart', {}, { one: {} });
    await it.saga(['run', 'cart'], { env });
    const find = async () =>
      JSON.parse((await it.saga(['sessions', '--json'], { env })).stdout).sessions[0];
    await until(async () => (await find())?.state !== 'running');
    expect(await find()).toMatchObject({ state: 'ended', outcome: 'done' });
    expect(it.events().filter(({ type }) => type === 'listener:failed')).toEqual([]);
    expect(JSON.parse(it.readStory('cart', 'story.json'))).toMatchObject({ id: 'cart' });
  },
);
