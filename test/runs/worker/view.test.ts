import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

const STORY = '.saga/stories/cart/story.json';

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
    expect(await it.saga(['run', 'cart'], { env })).toMatchObject({ code: 0 });
    const find = async () =>
      JSON.parse((await it.saga(['sessions', '--json'], { env })).stdout).sessions[0];
    await until(async () => (await find())?.state !== 'running');
    expect(await find()).toMatchObject({ state: 'ended', outcome: 'done' });
    expect(it.events().filter(({ type }) => type === 'listener:failed')).toEqual([]);
    expect(JSON.parse(it.readStory('cart', 'story.json'))).toMatchObject({ id: 'cart' });
  },
);
