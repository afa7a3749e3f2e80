import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { INTACT, runMisdeed } from '../rig/worker/plan-and-run.ts';
import type { Workshop } from '../rig/worker/workshop.ts';

const required = (it: Workshop) =>
  it.write('.saga/config.json', { worker: { sandbox: 'required' } });

test('a story comes through behind the walls: commits, tasks, journal and pull request', async () => {
  await using it = await runMisdeed(['git add -A && git stash list'], required);
  expect(it.code, it.stdout).toBe(0);
  expect(it.eventsOf('sandbox:on')).toHaveLength(1);
  expect(it.pushedPlan()).toEqual(INTACT);
  expect(existsSync(join(it.worktree, 'rehearsed/one.md'))).toBe(true);
  expect(it.git('status', '--short')).toBe(' M .saga/config.json\n?? .saga/stories/cart/\n');
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
