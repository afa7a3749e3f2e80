import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../../test/rig/project/repository.ts';
import { ensureWorktree } from '../prepare/ensure-worktree.ts';
import { keepUpToDate } from './keep-up-to-date.ts';

/** A story with work in its worktree, while its base gets another commit. */
async function createScene(it: Project, path: string, isOn = true) {
  it.story('x', {}, { one: {} });
  commitAll(it.gitIn, it.root, 'Plan');
  it.git('push', '-q', 'origin', 'main');
  const worker = it.worker({ worktree: { keepUpToDate: isOn } });
  const worktree = await ensureWorktree(worker);
  it.write('../project.stories/x/work.txt', 'of the story\n');
  commitAll(it.gitIn, worktree.folder, 'Work');
  it.write(path, 'of main\n');
  commitAll(it.gitIn, it.root, 'Main moved on');
  it.git('push', '-q', 'origin', 'main');
  const has = () => it.gitIn(worktree.folder, 'ls-files').includes('other.txt');
  return { worker, worktree, has };
}

test('the base is merged before the gate, and is then the base that the gate compares with', async () => {
  using it = createProject();
  const { worker, worktree, has } = await createScene(it, 'other.txt');
  expect(await keepUpToDate(worker, worktree)).toBe(true);
  expect(has()).toBe(true);
  expect(worktree.base.commit).toBe(it.git('rev-parse', 'main').trim());
  expect(it.said('base:merged')).toMatchObject([{ base: 'main', commits: 1 }]);
  expect(await keepUpToDate(worker, worktree)).toBe(true);
  expect(it.said('base:merged')).toHaveLength(1);
});

test('unless it is switched on, nothing is merged', async () => {
  using it = createProject();
  const { worker, worktree, has } = await createScene(it, 'other.txt', false);
  expect(await keepUpToDate(worker, worktree)).toBe(true);
  expect(has()).toBe(false);
});

test('a conflict is told to the next run once; if it could not mend it, a person is asked', async () => {
  using it = createProject();
  const { worker, worktree } = await createScene(it, 'work.txt');
  const journal = () => it.read('../project.stories/x/.saga/stories/x/journal.md');
  expect(await keepUpToDate(worker, worktree)).toBe(false);
  expect(await keepUpToDate(worker, worktree)).toBe(false);
  expect(journal().match(/Feedback: Does not merge with main/g)).toHaveLength(1);
  expect(journal()).toContain('story/x and main change the same places: work.txt');
  expect(it.gitIn(worktree.folder, 'rev-parse', '-q', '--verify', 'HEAD')).not.toBe('');
  expect(journal()).not.toContain('Blocker');
  it.write(
    '../project.stories/x/.saga/stories/x/journal.md',
    `${journal()}\n## Resolution: Does not merge with main\n\nA run was told of this. It made no commit.\n`,
  );
  expect(await keepUpToDate(worker, worktree)).toBe(false);
  expect(journal()).toContain('Blocker: Does not merge with main');
  const asked = journal();
  // A person who goes on without an answer is not asked again and again.
  expect(await keepUpToDate({ ...worker, anyway: true }, worktree)).toBe(true);
  expect(journal()).toBe(asked);
});

test('a base that changes the plan of the story waits for a person', async () => {
  using it = createProject();
  const { worker, worktree } = await createScene(it, '.saga/stories/x/notes.json');
  expect(await keepUpToDate(worker, worktree)).toBe(true);
  expect(it.said('base:skipped')).toHaveLength(1);
});
