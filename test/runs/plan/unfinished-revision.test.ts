import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { answerWith, draftEpic, draftStory } from '../../rig/worker/shaper-answers.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const KILL_BEFORE_RENAME = fileURLToPath(
  new URL('../../faults/programs/kill-before-rename.cjs', import.meta.url),
);

const AFTER = {
  children: ['mail', 'form', 'audit'],
  form: 'A better form',
  log: false,
  note: false,
};

/** Where the change is killed: before the first file, before the removals, and behind them. */
const PLACES = ['stories/form/story.json', 'stories/audit', 'epics/reset.json'];

test.each(PLACES)(
  'a revision that is killed before %s is finished by the next command, removals too',
  async (place) => {
    await using it = await killRevision(place);
    expect(await it.saga(['create', '--title', 'Next one'])).toMatchObject({ code: 0 });
    expect(describe(it)).toEqual(AFTER);
    expect(await it.saga(['check'])).toMatchObject({ code: 0, stderr: '' });
    // Nothing is gone.
    const trash = (await it.saga(['trash', 'list'])).stdout;
    expect(trash).toMatch(/^log /m);
    expect(trash).toMatch(/^note /m);
    expect(await it.saga(['trash', 'restore', 'log'])).toMatchObject({ code: 0 });
    expect(it.read('.saga/stories/log/story.json')).toContain('Story log');
  },
);

test('a story that somebody changed after the kill stays', async () => {
  await using it = await killRevision('stories/audit');
  const path = '.saga/stories/log/story.json';
  it.write(path, { ...JSON.parse(it.read(path)), title: 'Mine' });
  expect(await it.saga(['create', '--title', 'Next one'])).toMatchObject({ code: 0 });
  expect(describe(it)).toEqual({ ...AFTER, log: true });
  expect(it.read(path)).toContain('Mine');
  const { code, stdout, stderr } = await it.saga(['check']);
  expect({ code, text: stdout + stderr }).toEqual({
    code: 1,
    text: expect.stringContaining('.saga/stories/log/story.json'),
  });
});

async function killRevision(place: string): Promise<Workshop> {
  const form = draftStory('form', ['mail'], { title: 'A better form' });
  const good = draftEpic(draftStory('mail'), form, draftStory('audit', ['form']));
  const it = await createWorkshop({ model: { policy: answerWith(good) } });
  const stories = [draftStory('form', ['mail']), draftStory('log'), draftStory('note', ['log'])];
  const input = JSON.stringify(draftEpic(draftStory('mail'), ...stories));
  expect(await it.saga(['create', '-'], { input })).toMatchObject({ code: 0 });
  const killed = await it.saga(['plan', 'reset', '--revise', 'No log, no note', '--yes'], {
    env: {
      NODE_OPTIONS: `--require ${KILL_BEFORE_RENAME}`,
      SAGA_TEST_KILL_BEFORE: join(it.paths.saga, place),
    },
  });
  expect(killed.code, killed.stderr).toBe(null);
  return it;
}

function describe(it: Workshop): unknown {
  const { children } = JSON.parse(it.read('.saga/epics/reset.json'));
  const has = (id: string) => existsSync(join(it.paths.stories, id));
  return {
    children: children.map(({ id }: { id: string }) => id),
    form: JSON.parse(it.read('.saga/stories/form/story.json')).title,
    ...{ log: has('log'), note: has('note') },
  };
}
