import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { INTACT, runMisdeed } from '../rig/worker/plan-and-run.ts';

test('without its .git file a worktree is not taken for the checkout around it', async () => {
  await using it = await runMisdeed([`node -e 'fs.rmSync(".git")'`], (workshop) =>
    workshop.write('dirty.txt', 'of the user'),
  );
  expect(it.eventsOf('git:repaired')).toHaveLength(1);
  expect(it.code).toBe(0);
  expect(it.pushedPlan()).toEqual(INTACT);
  // Neither the run nor the worker committed there what is the user's.
  expect(it.git('status', '--short')).toBe('?? .saga/stories/cart/\n?? dirty.txt\n');
  expect(it.git('log', '--format=%s', 'main')).toBe('The plan\nFirst\n');
});

test('a newer base that a run merges takes nothing from others', async () => {
  const newer = 'git fetch -q origin && git merge -q --no-edit origin/main';
  await using it = await runMisdeed([newer, 'echo "{}" > .saga/epics/shop.json'], (workshop) => {
    // Pushed by somebody else once the worktree was made.
    workshop.write('.saga/config.json', {
      worktree: { setup: 'sh "$SAGA_PROJECT_DIR/publish.sh"' },
    });
    workshop.write(
      'publish.sh',
      [
        'cd "$(mktemp -d)" && git clone -q "$(git -C "$SAGA_PROJECT_DIR" remote get-url origin)" . &&',
        'echo "They went on." > .saga/stories/other/journal.md && git add -A &&',
        'git -c user.name=B -c user.email=b@example.org commit -qm Theirs && git push -q',
      ].join('\n'),
    );
  });
  expect(it.eventsOf('definitions:restored')).toMatchObject([{ files: ['.saga/epics/shop.json'] }]);
  const theirs = join(it.worktree, '.saga/stories/other/journal.md');
  expect(readFileSync(theirs, 'utf8')).toBe('They went on.\n');
});

test('our own git runs no hook that a run planted, not even for a push', async () => {
  const hook = 'test -n "$SAGA_RUN_ID" || echo "$(basename "$0")" >> "$HOME/planted"';
  const names = ['pre-commit', 'prepare-commit-msg', 'post-commit', 'post-checkout', 'pre-push'];
  const plant = `for n in ${names.join(' ')}; do printf '#!/bin/sh\\n%s\\n' '${hook}' > "$H/$n"; chmod +x "$H/$n"; done`;
  await using it = await runMisdeed([
    `H="$(git rev-parse --git-common-dir)/hooks"; mkdir -p "$H"; ${plant}`,
    `git config core.fsmonitor 'test -n "$SAGA_RUN_ID" || echo fsmonitor >> "$HOME/planted"; false'`,
    'echo "{}" > .saga/epics/shop.json',
  ]);
  expect(it.code).toBe(0);
  expect(it.eventsOf('definitions:restored')).toHaveLength(1);
  expect(existsSync(join(it.home, 'planted'))).toBe(false);
  const hooks = names.toSorted().map((name) => `.git/hooks/${name}`);
  const [told] = it.eventsOf('elsewhere:restored');
  expect(told).toMatchObject({ what: [...hooks, '.git/config (core.fsmonitor)'] });
  const { restored } = JSON.parse(it.readStory('cart', 'evidence.json'));
  expect(restored).toEqual(['.git/config (core.fsmonitor)', ...hooks, '.saga/epics/shop.json']);
});

test('files that git was told to overlook are no clean worktree', async () => {
  await using it = await runMisdeed([
    'git update-index --assume-unchanged README.md && echo hidden > README.md',
  ]);
  expect(it.stdout).toContain('uncommitted: README.md');
  expect(it.code).toBe(3);
  expect(existsSync(join(it.worktree, 'rehearsed/one.md'))).toBe(true);
});
