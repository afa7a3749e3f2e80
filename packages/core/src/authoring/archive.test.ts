import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PLAN_ENV } from '../../../../test/rig/project/done.ts';
import { createPlan } from '../../../../test/rig/project/plan.ts';
import { loadOverview } from '../overview/overview.ts';
import { archive, unarchive } from './archive.ts';
import { checkProject } from './check.ts';

test('a story goes away and comes back', async () => {
  using plan = createPlan();
  plan.story('api');
  expect(await archive(plan.paths, 'api')).toEqual(['api']);
  expect((await loadOverview(plan.paths, PLAN_ENV)).stories).toEqual([]);
  await expect(archive(plan.paths, 'api')).rejects.toMatchObject({
    code: 'not-found',
    hint: 'Bring it back: saga unarchive api',
  });
  expect(await unarchive(plan.paths, 'api')).toEqual(['api']);
  expect((await loadOverview(plan.paths, PLAN_ENV)).stories).toHaveLength(1);
});

test('an epic takes everything below it along, both ways', async () => {
  using plan = createPlan();
  plan.story('a', { epic: 'inner' });
  plan.story('b', { epic: 'outer' });
  plan.epic('inner', { a: [] });
  plan.epic('outer', { inner: [], b: ['inner'] });
  await expect(archive(plan.paths, 'a')).rejects.toMatchObject({ hint: /saga archive inner/ });
  expect(await archive(plan.paths, 'outer')).toEqual(['outer', 'inner', 'a', 'b']);
  expect(await loadOverview(plan.paths, PLAN_ENV)).toMatchObject({
    stories: [],
    epics: [],
    problems: [],
  });
  expect((await unarchive(plan.paths, 'outer')).toSorted()).toEqual(['a', 'b', 'inner', 'outer']);
  expect((await checkProject(plan.paths, PLAN_ENV)).problems).toEqual([]);
});

test('work in flight stays where it is', async () => {
  using plan = createPlan();
  plan.story('api');
  plan.write('.saga/worktrees/api/.saga/stories/api/story.json', { id: 'api' });
  await expect(archive(plan.paths, 'api')).rejects.toMatchObject({ code: 'in-flight' });
  expect(existsSync(join(plan.paths.stories, 'api'))).toBe(true);
});
