import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAGA } from '../rig/programs/run-program.ts';
import { createProject } from '../rig/project/project.ts';
import { commitAll } from '../rig/project/repository.ts';
import { expectFast } from './budget.ts';

const STORIES = 100;
const BEGUN = 10;
const ROUNDS = 7;

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
  const time = (args: string[]) => measure([process.execPath, ...args], it.root, it.env);
  const least = (args: string[]) => Math.min(...Array.from({ length: ROUNDS }, () => time(args)));
  expectFast(least([SAGA, 'recover']) - least(['-e', '']), 300);
});

/**
 * Milliseconds on the clock, or of processor time of the program and all it starts, whichever is less: on a
 * busy machine the clock says how busy it is.
 */
function measure(command: string[], cwd: string, env: Record<string, string>): number {
  const start = performance.now();
  const script = '"$@" > /dev/null; times';
  const args = ['-c', script, 'sh', ...command];
  const printed = execFileSync('sh', args, { cwd, env, encoding: 'utf8' });
  const took = performance.now() - start;
  const [, children = ''] = printed.split('\n');
  const spent = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => (Number(minutes) * 60 + Number(seconds)) * 1000,
  );
  return Math.min(
    took,
    spent.reduce((sum, it) => sum + it, 0),
  );
}
