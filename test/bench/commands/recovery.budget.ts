import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAGA } from '../../rig/programs/run-program.ts';
import { createProject } from '../../rig/project/project.ts';
import { commitAll } from '../../rig/project/repository.ts';
import { expectFast } from '../measure/budget.ts';
import { measureOverNode } from '../measure/measure-command.ts';

const STORIES = 100;
const BEGUN = 10;

test('saga recover over bare node, 100 stories, 10 of them in flight with uncommitted files', () => {
  using it = createProject();
  for (let n = 0; n < STORIES; n++) it.story(`story-${n}`);
  commitAll(it.gitIn, it.root, 'Plan');
  it.git('push', '-q', 'origin', 'main');
  for (let n = 0; n < BEGUN; n++) {
    const worktree = join(it.worktrees, `story-${n}`);
    it.git('worktree', 'add', '-q', '-b', `story/story-${n}`, worktree);
    writeFileSync(join(worktree, 'work.txt'), 'work\n');
    commitAll(it.gitIn, worktree, 'Work');
    writeFileSync(join(worktree, 'more.txt'), 'more\n');
  }
  const printed = execFileSync(process.execPath, [SAGA, 'recover'], { cwd: it.root, env: it.env });
  expect(printed.toString()).toContain(`${BEGUN} stories were in flight`);
  const recover = [process.execPath, SAGA, 'recover'];
  expectFast(measureOverNode(recover, it.root, it.env), 300);
});
