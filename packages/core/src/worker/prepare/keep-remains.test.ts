import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { putBackFolder } from '../../project/paths.ts';
import { saveUnfinishedRun } from '../settle/unfinished-run.ts';
import { ensureWorktree } from './ensure-worktree.ts';

/** A story whose worker was killed during a run, with one commit in its worktree. */
async function createCutOff() {
  const it = createProject();
  it.story('x');
  const worker = it.worker();
  const worktree = await ensureWorktree(worker);
  writeFileSync(join(worktree.folder, 'done.txt'), 'done\n');
  await worktree.git.run(['add', 'done.txt']);
  await worktree.git.run(['commit', '-q', '-m', 'Work']);
  const commit = await worktree.git.run(['rev-parse', 'HEAD']);
  saveUnfinishedRun(worker, worktree, { runId: 'a-run', commit, listFolder: '/nowhere' });
  return Object.assign(it, { tree: worktree.folder });
}

const listKept = (it: { paths: Parameters<typeof putBackFolder>[0] }) =>
  readdirSync(putBackFolder(it.paths), { recursive: true }).map(String);

test('what a run wrote in place of its deleted worktree is moved away', async () => {
  using it = await createCutOff();
  rmSync(it.tree, { recursive: true });
  mkdirSync(join(it.tree, 'src'), { recursive: true });
  writeFileSync(join(it.tree, 'src/late.txt'), 'late\n');
  const { git } = await ensureWorktree(it.worker());
  expect(await git.run(['status', '--porcelain'])).toBe('');
  expect(readFileSync(join(it.tree, 'done.txt'), 'utf8')).toBe('done\n');
  const kept = listKept(it).filter((path) => path.endsWith('a-run/src/late.txt'));
  expect(kept).toHaveLength(1);
  expect(it.said('worktree:remains')).toMatchObject([{ path: '../project.stories/x' }]);
});

test('a worktree that only lost its link keeps its files', async () => {
  using it = await createCutOff();
  writeFileSync(join(it.tree, 'half.txt'), 'half\n');
  rmSync(join(it.tree, '.git'));
  const { git } = await ensureWorktree(it.worker());
  expect(await git.run(['status', '--porcelain'])).toBe('?? half.txt');
  expect(it.said('worktree:remains')).toEqual([]);
});
