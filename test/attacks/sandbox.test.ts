import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as anyTest, expect } from 'vitest';
import { SAGA } from '../rig/programs/run-program.ts';
import { findSandboxRefusal } from '../rig/worker/find-sandbox-refusal.ts';
import { bash, misbehave } from '../rig/worker/misbehave.ts';
import { INTACT, runMisdeed } from '../rig/worker/plan-and-run.ts';
import { createWorkshop, type Workshop } from '../rig/worker/workshop.ts';

const test = anyTest.skipIf((await findSandboxRefusal()) !== undefined);
const required = (it: Workshop) =>
  it.write('.saga/config.json', { worker: { sandbox: 'required' } });

const promptOf = ({ model }: Pick<Workshop, 'model'>) =>
  model.requests.map(({ conversation }) => conversation.prompt).find((it) => it !== '');

test('a story comes through behind the walls: commits, tasks, journal and pull request', async () => {
  await using it = await runMisdeed(['git add -A && git stash list'], required, 'required');
  expect(it.code, it.stdout).toBe(0);
  expect(it.eventsOf('sandbox:on')).toHaveLength(1);
  expect(it.pushedPlan()).toEqual(INTACT);
  expect(existsSync(join(it.worktree, 'rehearsed/one.md'))).toBe(true);
  expect(it.git('status', '--short')).toBe(' M .saga/config.json\n?? .saga/stories/cart/\n');
  expect(promptOf(it)).toContain('## Walls\n');
});

anyTest('a run without a sandbox is told of no walls', async () => {
  await using it = await runMisdeed(['true'], () => {}, 'off');
  expect(it.code, it.stdout).toBe(0);
  expect(promptOf(it)).toContain('## How to work\n');
  expect(promptOf(it)).not.toContain('## Walls');
});

test('git’s own folder, the main checkout, the home folder and /tmp stay as they were', async () => {
  await using it = await runMisdeed(
    [
      'git config core.fsmonitor "echo planted" && git remote set-url origin /nowhere && git update-ref refs/heads/main HEAD',
      'mkdir -p "$(git rev-parse --git-common-dir)/hooks" && echo x > "$(git rev-parse --git-common-dir)/hooks/pre-push"',
      '(echo x > "$SAGA_PROJECT_DIR/README.md") 2>/dev/null; echo x > "$HOME/.bashrc"; echo x > /tmp/planted-by-a-run; true',
      'test ! -e "$HOME/.ssh/id_rsa"',
      'git switch -qc other-work && echo y > other.txt && git add -A && git commit -qm other && git switch -q -',
    ],
    (workshop) => {
      required(workshop);
      writeFileSync(join(workshop.home, '.bashrc'), 'mine\n');
    },
    'required',
  );
  expect(it.code, it.stdout).toBe(0);
  expect(it.git('config', '--get-regexp', 'fsmonitor|remote.origin.url')).not.toContain('nowhere');
  expect(it.git('log', '--format=%s', 'main')).toBe('The plan\nFirst\n');
  expect(existsSync(join(it.root, '.git/hooks/pre-push'))).toBe(false);
  expect(readFileSync(join(it.home, '.bashrc'), 'utf8')).toBe('mine\n');
  expect(existsSync('/tmp/planted-by-a-run')).toBe(false);
  const [{ refs } = {}] = it.eventsOf('refs:trashed') as {
    refs?: { name: string; ref: string }[];
  }[];
  expect(refs?.map(({ name }) => name)).toEqual(['other-work']);
  expect(it.git('show', `${refs?.[0]?.ref}:other.txt`)).toBe('y\n');
});

test('setup and verify run behind the same walls; only setup’s commits are taken over', async () => {
  const prepare = (workshop: Workshop) => {
    mkdirSync(join(workshop.home, '.ssh'));
    writeFileSync(join(workshop.home, '.ssh/id_rsa'), 'key\n');
    mkdirSync(join(workshop.home, '.local/state/saga/keys'), { recursive: true });
    writeFileSync(join(workshop.home, '.local/state/saga/keys/mine'), 'key\n');
    workshop.write('.saga/config.json', {
      worker: { sandbox: 'required' },
      // The keys that sign evidence are hidden whatever the settings say.
      sandbox: { hide: ['~/.ssh'] },
      worktree: { setup: 'git commit -q --allow-empty -m "by setup"; echo x > ~/planted; true' },
      gate: {
        verify:
          'test ! -e ~/.ssh/id_rsa && test ! -e ~/.local/state/saga/keys/mine && git commit -q --allow-empty -m "by verify" && ! touch "$SAGA_PROJECT_DIR/planted"',
      },
    });
  };
  await using it = await runMisdeed(['true'], prepare, 'required');
  expect(it.code, it.stdout).toBe(0);
  expect(it.stdout).toContain('runs, setup and verify are enclosed');
  expect(it.stdout).toContain('in a clean checkout');
  const subjects = it.git('log', '--format=%s', 'story/cart');
  expect(subjects).toContain('by setup');
  expect(subjects).not.toContain('by verify');
  expect(existsSync(join(it.home, 'planted'))).toBe(false);
  expect(existsSync(join(it.root, 'planted'))).toBe(false);
  // Nothing private to a command is left.
  expect(readdirSync(join(it.root, '.git/saga/enclosures'))).toEqual([]);
});

test('commits of a run whose worker was killed are taken over by the next worker', async () => {
  const command = 'echo 1 > kept.txt && git add -A && git commit -qm kept && touch marker';
  await using it = await createWorkshop({
    model: { policy: misbehave([bash(command), bash('test -e again || sleep 1000')]) },
  });
  required(it);
  it.story('cart', {}, { one: {} });
  const child = spawn(process.execPath, [SAGA, 'worker', 'cart'], {
    cwd: it.root,
    env: it.environment,
    stdio: 'ignore',
  });
  const worktree = join(it.worktrees, 'cart');
  await expect.poll(() => existsSync(join(worktree, 'marker')), { interval: 50 }).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  writeFileSync(join(worktree, 'again'), '');
  const { code, stdout } = await it.saga(['worker', 'cart', '--max-cycles', '1']);
  expect(stdout).toContain('recovery');
  expect(it.git('log', '--format=%s', 'story/cart'), `${code} ${stdout}`).toContain('kept\n');
  expect(readdirSync(join(it.root, '.git/saga/enclosures'))).toEqual([]);
});
