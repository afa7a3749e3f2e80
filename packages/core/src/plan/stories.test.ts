import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlan } from '../../../../test/rig/project/plan.ts';
import { loadStory, saveStoryFields, saveTaskFields } from './stories.ts';

test('a status change is a one-line diff in git, in the live copy', async () => {
  using plan = createPlan();
  plan.story('api');
  plan.write(
    '.saga/stories/api/work.json',
    '{\n  "mine": {"z":1, "a":2},\n  "id": "work",\n  "subject": "Work",\n  "status": "pending",\n  "blockedBy": [],\n  "description": "d"\n}\n',
  );
  execFileSync('git', ['-C', plan.root, 'add', '-A']);
  expect(await saveTaskFields(plan.paths, 'api', 'work', { status: 'completed' })).toBe(true);
  const diff = execFileSync('git', ['-C', plan.root, 'diff', '--numstat'], { encoding: 'utf8' });
  expect(diff).toBe('1\t1\t.saga/stories/api/work.json\n');
  expect(await saveTaskFields(plan.paths, 'api', 'work', { status: 'completed' })).toBe(false);
  expect(readdirSync(join(plan.paths.stories, 'api')).toSorted()).toEqual([
    'story.json',
    'work.json',
  ]);
});

test('with a worktree, only its copy is written', async () => {
  using plan = createPlan();
  plan.story('api');
  const main = readFileSync(join(plan.paths.stories, 'api/story.json'), 'utf8');
  plan.write('.saga/worktrees/api/.saga/stories/api/story.json', main);
  await saveStoryFields(plan.paths, 'api', { branch: 'story/api' });
  expect(readFileSync(join(plan.paths.stories, 'api/story.json'), 'utf8')).toBe(main);
  expect(loadStory(plan.paths, 'api').story.branch).toBe('story/api');
});

test.each<[string, string, string, string]>([
  ['an unknown story', 'apy', 'work', 'not-found'],
  ['a path as story', '../api', 'work', 'not-found'],
  ['an unknown task', 'api', 'wrok', 'not-found'],
  ['a path as task', 'api', '../../config', 'not-found'],
  ['the story itself as task', 'api', 'story', 'not-found'],
])('%s is refused', async (_, storyId, taskId, code) => {
  using plan = createPlan();
  plan.story('api');
  await expect(
    saveTaskFields(plan.paths, storyId, taskId, { status: 'completed' }),
  ).rejects.toMatchObject({
    code,
  });
});

test('a broken file is never overwritten, and no value that does not fit is written', async () => {
  using plan = createPlan();
  plan.story('api');
  plan.write('.saga/stories/api/broken.json', '{ "id"');
  await expect(
    saveTaskFields(plan.paths, 'api', 'broken', { status: 'completed' }),
  ).rejects.toMatchObject({
    code: 'invalid-file',
  });
  expect(readFileSync(join(plan.paths.stories, 'api/broken.json'), 'utf8')).toBe('{ "id"');
  await expect(
    saveTaskFields(plan.paths, 'api', 'work', { status: 'deleted' }),
  ).rejects.toMatchObject({
    code: 'invalid-file',
  });
});
