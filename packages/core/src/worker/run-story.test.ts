import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { ensureWorktree } from './prepare/ensure-worktree.ts';
import { runStory } from './run-story.ts';

/** A client that cannot be found ends the preflight that went on. */
const start = (it: Project, more = {}) =>
  runStory(it.worker({ worker: { claudePath: '/no/client' } }, more)).then(
    () => 'ready',
    ({ code }) => code,
  );

test('a worker that is started by itself does not begin before what its story waits for', async () => {
  using it = createProject({ remote: null });
  it.story('bad');
  it.story('x', { epic: 'shop' });
  it.epic('shop', { bad: [], x: ['bad'] });
  commitAll(it.gitIn, it.root, 'Plan');
  const none = await start(it, { anyway: true });
  expect(none).not.toBe('waits');
  expect(await start(it)).toBe('waits');
  // A person's word, the word of a scheduler that has just looked, and a further round of a worker that has begun.
  for (const word of ['anyway', 'isChecked', 'isFurther']) {
    expect([word, await start(it, { [word]: true })]).toEqual([word, none]);
  }
});

test('a worker that is started by itself does not work by a plan that was edited since', async () => {
  using it = createProject({ remote: null });
  it.story('x');
  commitAll(it.gitIn, it.root, 'Plan');
  await ensureWorktree(it.worker());
  const story = '.saga/stories/x/story.json';
  it.write(story, { ...JSON.parse(it.read(story)), title: 'Edited' });
  expect(await start(it)).toBe('two-copies');
  expect(await start(it, { anyway: true })).not.toBe('two-copies');
});
