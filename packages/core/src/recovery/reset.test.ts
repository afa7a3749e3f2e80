import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createBegunStory } from '../../../../test/rig/project/begun-story.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { acquireLock } from '../processes/lock.ts';
import { workerLock } from '../project/paths.ts';
import { resetStory } from './reset.ts';

const TASK = '.saga/stories/x/one.json';

test('a story begins anew: tasks pending without attempts, branch and worktree in the trash', async () => {
  using it = createBegunStory();
  const task = JSON.parse(it.read(TASK));
  it.write(TASK, { ...task, status: 'completed', attempts: 2, lastOutcome: 'failed' });
  it.write('.saga/stories/x/evidence.json', '{}');
  commitAll(it.gitIn, it.root, 'As a merge left it');
  const head = it.git('rev-parse', 'story/x').trim();
  it.put('new.txt', 'not committed\n');

  const { tasks, discarded } = await resetStory(it.paths, 'x', it.env);
  expect(tasks).toEqual(['one']);
  expect(JSON.parse(it.read(TASK))).toEqual(task);
  expect(existsSync(it.worktree)).toBe(false);
  expect(it.git('branch', '--list', 'story/x')).toBe('');
  expect(existsSync(`${it.root}/.saga/stories/x/evidence.json`)).toBe(false);
  const [kept = ''] = it.git('for-each-ref', '--format=%(refname)', 'refs/saga/trash').split('\n');
  expect(discarded).toMatchObject({ ref: kept });
  expect(it.git('merge-base', head, kept).trim()).toBe(head);
});

test('a story that is worked on, and one that is not there, are left alone', async () => {
  using it = createBegunStory();
  const lock = await acquireLock(workerLock(it.paths, 'x'));
  await expect(resetStory(it.paths, 'x', it.env)).rejects.toMatchObject({ code: 'in-flight' });
  lock.release();
  expect(existsSync(it.worktree)).toBe(true);
  await expect(resetStory(it.paths, 'y', it.env)).rejects.toMatchObject({ code: 'not-found' });
});
