import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { PLAN_ENV } from '../../../../../test/rig/project/done.ts';
import { createPlan, type Plan } from '../../../../../test/rig/project/plan.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import { loadOverview } from '../overview.ts';
import { listTips, loadGitStatuses, parseGitStatuses } from './git-statuses.ts';

const TASK = { id: 'one', subject: 'Do one', description: 'It.', blockedBy: [] };
const SECONDS = 1_790_000_000;

function createHistory(plan: Plan) {
  const env = { PATH: process.env.PATH, HOME: plan.root };
  const person = ['-c', 'user.name=P', '-c', 'user.email=p@example.org'];
  const git = (args: string[], seconds = SECONDS) => {
    const date = `${seconds} +0100`;
    const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    execFileSync('git', [...person, ...args], { cwd: plan.root, env: { ...env, ...dates } });
  };
  return {
    git,
    /** Writes a file of the story `cart`, and commits it so many seconds after the first. */
    commit(after: number, content: unknown, file = 'one.json') {
      plan.write(`.saga/stories/cart/${file}`, content);
      git(['add', '-A']);
      git(['commit', '-qm', 'Change'], SECONDS + after);
    },
    async load() {
      const opened = openPlainGit(plan.root, env);
      const { stories } = await loadOverview(plan.paths, PLAN_ENV, { index: false });
      const tips = (await listTips(opened, stories)) ?? [];
      const found = (await loadGitStatuses(opened, stories, tips)) ?? [];
      return found
        .map(({ story, task, time, isCompleted }) => [
          ...[story, task, time / 1000 - SECONDS, isCompleted],
        ])
        .sort((a, b) => Number(a[2]) - Number(b[2]));
    },
  };
}

test('a status is dated by the commit that changed it, on the branch of the story too', async () => {
  using plan = createPlan();
  plan.story('cart', {}, { one: {} });
  plan.story('other', {}, { one: { status: 'completed' } });
  const it = createHistory(plan);
  it.commit(0, { ...TASK, status: 'pending' });
  it.git(['checkout', '-q', '-b', 'story/cart']);
  it.commit(10, { ...TASK, status: 'in_progress' });
  it.commit(20, { ...TASK, status: 'completed' });
  it.commit(30, { ...TASK, status: 'completed', guidance: '"status": "pending"' });
  it.commit(40, { ...TASK, status: 'pending' });
  it.commit(50, { status: 'not a task' }, 'story.json');
  it.git(['checkout', '-q', '-']);
  it.commit(60, JSON.stringify({ ...TASK, text: '"status": "pending"', status: 'completed' }));
  expect(await it.load()).toEqual([
    ['other', 'one', 0, true],
    ['cart', 'one', 20, true],
    ['cart', 'one', 40, false],
    ['cart', 'one', 60, true],
  ]);
});

test('on a fetched branch alone, and whatever the user has set', async () => {
  using plan = createPlan();
  plan.story('cart', {}, { one: {} });
  const it = createHistory(plan);
  it.git(['config', 'diff.noprefix', 'true']);
  it.git(['config', 'color.ui', 'always']);
  it.git(['config', 'log.showSignature', 'true']);
  it.git(['config', 'diff.external', 'false']);
  it.commit(0, { ...TASK, status: 'pending' });
  it.git(['checkout', '-q', '-b', 'story/cart']);
  it.commit(5, { ...TASK, status: 'completed' });
  it.git(['update-ref', 'refs/remotes/origin/story/cart', 'HEAD']);
  it.git(['checkout', '-q', '-']);
  it.git(['branch', '-qD', 'story/cart']);
  expect(await it.load()).toEqual([['cart', 'one', 5, true]]);
});

test('without commits, or without git, there is nothing to tell', async () => {
  using plan = createPlan();
  plan.story('cart');
  const { load } = createHistory(plan);
  expect(await load()).toEqual([]);
});

test('nothing in a file is taken for a word of git', () => {
  const log = [
    '\x001790000000',
    '',
    'diff --git a/.saga/stories/cart/one.json b/.saga/stories/cart/one.json',
    '--- a/.saga/stories/cart/one.json',
    '+++ b/.saga/stories/cart/one.json',
    '@@ -1,2 +1,4 @@',
    '+++ b/.saga/stories/evil/one.json',
    '+diff --git a/x b/x',
    '+\x001999999999',
    '-{"status": "pending",',
    '+  "status": "completed",',
    'diff --git a/.saga/stories/cart/two.json b/.saga/stories/cart/two.json',
    'deleted file mode 100644',
    '--- a/.saga/stories/cart/two.json',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-  "status": "completed"',
  ];
  expect(parseGitStatuses(log.join('\n'))).toEqual([
    { story: 'cart', task: 'one', time: 1_790_000_000_000, isCompleted: true },
  ]);
  expect(parseGitStatuses('')).toEqual([]);
});
