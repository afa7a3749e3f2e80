import { execFileSync, spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createProject } from '../../rig/project/project.ts';
import { expectFast } from '../measure/budget.ts';
import { measureOverNode } from '../measure/measure-command.ts';

const HOOK = fileURLToPath(new URL('../../../plugin/hooks/session-init.sh', import.meta.url));
const STORIES = 100;
const BEGUN = 10;

test.each([
  ['the main checkout', '', 'stories in flight'],
  ['a worktree', 'story-0', 'the worktree of story story-0'],
])('the SessionStart hook over bare node in %s, 100 stories, 10 in flight', (_, story, says) => {
  using it = createProject();
  for (let n = 0; n < STORIES; n++) it.story(`story-${n}`);
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  const gone = spawnSync('true').pid;
  for (let n = 0; n < BEGUN; n++) {
    const id = `story-${n}`;
    it.git('worktree', 'add', '-q', '-b', `story/${id}`, join(it.worktrees, id));
    const pid = n % 2 === 0 ? process.pid : gone;
    it.write(`.git/saga/runs/locks/worker-${id}/${hostname()}~${pid}~1~x`, '');
  }
  const cwd = story === '' ? it.root : join(it.worktrees, story);
  const env = { ...it.env, CLAUDE_ENV_FILE: join(it.folder, 'variables') };
  expect(execFileSync('sh', [HOOK], { cwd, env, encoding: 'utf8' })).toContain(says);
  expectFast(measureOverNode(['sh', HOOK], cwd, env), 50);
});
