import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { createEpics, look, pick, readEvents } from '../../rig/worker/epics.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';

test('a person merges on the remote, and what waited for it goes on by itself', async () => {
  await using it = await createEpics({
    epics: { shop: { base: [], top: ['base'] } },
    config: { epic: { integrate: 'review' } },
  });
  using tmux = createTmuxServer();
  const { environment: env } = tmux;
  expect((await it.saga(['run', 'shop'], { env })).code).toBe(0);
  await until(() => pick(readEvents(it), 'epic:waits').length > 0);
  expect(pick(readEvents(it), 'epic:waits')[0]).toMatchObject({ stories: ['base'] });
  expect((await look(it)).states).toEqual({ base: 'in review', top: 'waiting' });
  // No branch of the epic: the story is reviewed against the default branch.
  expect(it.github.pulls).toMatchObject([{ head: 'story/base', base: 'main', isDraft: false }]);
  expect(it.git('branch', '--list', 'epic/*')).toBe('');

  // A colleague merges it, and nothing is told here.
  const elsewhere = `${it.worktrees}-elsewhere`;
  it.git('clone', '-q', it.origin, elsewhere);
  it.git('-C', elsewhere, 'merge', '-q', '--no-ff', '-m', 'Merge base', 'origin/story/base');
  it.git('-C', elsewhere, 'push', '-q', 'origin', 'main');
  await until(() => pick(readEvents(it), 'epic:started').length > 1);
  await until(() => pick(readEvents(it), 'worker:end').length > 0);
  expect(pick(readEvents(it), 'worker:end')[0]).toMatchObject({ kind: 'done' });
  expect(pick(readEvents(it), 'epic:started').map(({ story }) => story)).toEqual(['base', 'top']);
  expect((await look(it)).states).toEqual({ base: 'done', top: 'in review' });
  // It began with the merged work.
  const work = it.git('ls-tree', '-r', '--name-only', 'story/top', 'rehearsed');
  expect(work.trim().split('\n')).toEqual(['rehearsed/base.md', 'rehearsed/top.md']);
  expect(pick(readEvents(it), 'epic:merge')).toEqual([]);
});
