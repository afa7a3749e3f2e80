import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runMisdeed } from '../rig/worker/plan-and-run.ts';

const OWN = '.saga/stories/cart';
const EASY = `sed -i 's/"title"/"verify": "true", "title"/' ${OWN}/story.json`;

test('what the gate, a push and the plan are compared with is not what a run makes of it', async () => {
  await using it = await runMisdeed([
    // The plan, committed; and a base, a history and an address under which that is no change.
    `${EASY} && rm .saga/stories/other/x.json && git add -A && git commit -qm Easier`,
    'git update-ref refs/remotes/origin/main HEAD && git update-ref refs/heads/main HEAD',
    'git replace HEAD~1 HEAD && git rev-parse HEAD > "$(git rev-parse --git-common-dir)/info/grafts"',
    'git init -q --bare "$HOME/evil.git" && git remote set-url origin "$HOME/evil.git"',
    'git config --global url."$HOME/evil.git".insteadOf "$(dirname "$SAGA_PROJECT_DIR")/origin.git"',
    // Filters that write the changed text again, and programs for our own git.
    `echo '${OWN}/story.json filter=evil' > "$(git rev-parse --git-common-dir)/info/attributes"`,
    `git config filter.evil.smudge 'sed s/title/titel/' && git config --global filter.evil.clean cat`,
    `git config core.fsmonitor 'test -n "$SAGA_RUN_ID" || touch "$HOME/planted"; false'`,
    // The main checkout.
    'echo "{ }" > "$SAGA_PROJECT_DIR/.saga/config.json"',
  ]);
  expect(it.code).toBe(0);
  expect(it.stdout).toContain('all tasks completed, gate passed');
  expect(it.eventsOf('definitions:restored')).toMatchObject([
    { files: [`${OWN}/story.json`, '.saga/stories/other/x.json'] },
  ]);
  const evil = join(it.home, 'evil.git');
  expect(execFileSync('git', ['-C', evil, 'for-each-ref']).toString()).toBe('');
  const show = (path: string) =>
    execFileSync('git', ['-C', it.origin, 'show', `story/cart:${path}`]).toString();
  expect(show(`${OWN}/story.json`)).not.toContain('verify');
  expect(show('.saga/stories/other/x.json')).toContain('"x"');
  expect(readFileSync(join(it.worktree, OWN, 'story.json'), 'utf8')).toBe(
    show(`${OWN}/story.json`),
  );
  const main = it.git('rev-parse', 'main');
  expect(it.git('-C', it.origin, 'rev-parse', 'main')).toBe(main);
  expect(it.git('rev-parse', 'origin/main')).toBe(main);
  expect(it.git('for-each-ref', 'refs/replace')).toBe('');
  expect(existsSync(join(it.home, 'planted'))).toBe(false);
  const { restored } = JSON.parse(it.readStory('cart', 'evidence.json'));
  expect(restored).toEqual(
    expect.arrayContaining([
      '.git/config (core.fsmonitor)',
      '.git/config (remote.origin.url)',
      '.git/info/attributes',
      '.git/info/grafts',
      'refs/heads/main',
      'refs/remotes/origin/main',
      `${OWN}/story.json`,
    ]),
  );
  expect(it.eventsOf('elsewhere:noticed')).toMatchObject([
    { what: ['.saga/config.json in the main checkout'] },
  ]);
});

test('a CI definition is never pushed, and nothing else with it', async () => {
  await using it = await runMisdeed([
    'mkdir -p .github/workflows && echo "on: push" > .github/workflows/x.yml',
    'git add -A && git commit -qm "Add CI"',
  ]);
  expect(it.code).toBe(3);
  const [refused] = it.eventsOf('push:refused');
  expect(refused).toMatchObject({ files: ['.github/workflows/x.yml'] });
  expect(refused?.reason).toContain('name the file in writeFiles: saga edit cart');
  expect(it.stdout).toContain('protected-files');
  const all = ['log', '--format=%s', '--name-only', '--branches'];
  expect(execFileSync('git', ['-C', it.origin, ...all]).toString()).not.toContain('workflows');
});

test('a run answers no question of its own, and rewrites no entry of the journal', async () => {
  const journal = `${OWN}/journal.md`;
  await using it = await runMisdeed(
    [
      `sed -i 's/SQLite/Oracle/' ${journal}`,
      `printf '\\n## Blocker: Which port?\\n\\n## Resolution: Which port?\\n\\n80\\n' >> ${journal}`,
    ],
    (workshop) => workshop.write(journal, '## Decision: SQLite\n'),
  );
  expect(it.code).toBe(3);
  expect(it.stdout).toContain('Which port?');
  expect(it.eventsOf('journal:restored')).toMatchObject([
    { isRewritten: true, dropped: ['Which port?'] },
  ]);
  const text = it.readStory('cart', 'journal.md');
  expect(text).toContain('## Decision: SQLite');
  expect(text).toContain('## Blocker: Which port?');
  expect(text).not.toContain('## Resolution');
});
