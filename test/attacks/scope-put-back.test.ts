import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { INTACT, type Misdeed, runMisdeed } from '../rig/worker/plan-and-run.ts';

const OWN = '.saga/stories/cart';
const EXTRA = '{"id":"extra","subject":"S","description":"D","status":"completed","blockedBy":[]}';

/** Put back, told of everywhere, and the run's work is there all the same. */
function expectPutBack(it: Misdeed, files: string[], elsewhere: string[] = []): void {
  expect(it.stdout).toContain('all tasks completed, gate passed');
  expect(it.code).toBe(0);
  expect(it.eventsOf('definitions:restored')).toMatchObject([{ files }]);
  const evidence = JSON.parse(it.readStory('cart', 'evidence.json'));
  const all = [...elsewhere, ...files];
  expect(evidence.restored).toEqual(all);
  const check = evidence.checks.find(({ name }: { name: string }) => name === 'definitions');
  expect(check.outcome).toBe('passed');
  expect(check.detail).toContain(`changed by a run and put back: ${all[0]}`);
  expect(check.files).toEqual(all);
  expect(it.pushedPlan()).toEqual(INTACT);
  expect(JSON.parse(it.readStory('cart', 'story.json'))).toMatchObject({
    description: 'About the cart.',
  });
  expect(JSON.parse(it.readStory('cart', 'one.json'))).toMatchObject({
    description: 'All of one.',
    status: 'completed',
  });
  expect(existsSync(join(it.worktree, 'rehearsed/one.md'))).toBe(true);
  expect(it.git('-C', it.worktree, 'status', '--short')).toBe('');
}

const EDITS = [
  `echo '{"id":"cart","title":"Less","description":"d","verify":"true"}' > ${OWN}/story.json`,
  `sed -i 's/All of one/Nothing/' ${OWN}/one.json`,
  `echo '${EXTRA}' > ${OWN}/extra.json`,
  `echo '{"version":1,"outcome":"passed"}' > ${OWN}/evidence.json`,
  'echo "{}" > .saga/epics/shop.json',
  'echo "{}" > .saga/epics/new.json',
  'echo "{ }" > .saga/config.json',
  'mkdir -p .saga/archive/epics && echo "{}" > .saga/archive/epics/old.json',
  'rm .saga/stories/other/x.json',
  'mkdir .SAGA && echo x > .SAGA/x.json',
  `echo '* -text' > ${OWN}/.gitattributes`,
].join(' && ');
const EDITED = [
  '.SAGA/x.json',
  '.saga/archive/epics/old.json',
  '.saga/config.json',
  '.saga/epics/new.json',
  '.saga/epics/shop.json',
  `${OWN}/.gitattributes`,
  `${OWN}/evidence.json`,
  `${OWN}/extra.json`,
  `${OWN}/one.json`,
  `${OWN}/story.json`,
  '.saga/stories/other/x.json',
];

describe('what a run does to the plan by Bash is put back', () => {
  test.each([
    ['and left', EDITS],
    ['and committed', `${EDITS} && git add -A && git commit -qm "Improve the plan"`],
    ['and staged', `${EDITS} && git add -A`],
    ['on another branch', `git checkout -qb other && ${EDITS} && git add -A && git commit -qm x`],
  ])('edited %s', async (_, command) => {
    await using it = await runMisdeed([command]);
    expectPutBack(it, EDITED);
    const kept = EDITED.filter((path) => path !== '.saga/stories/other/x.json');
    expect(it.keptAside()).toEqual(kept);
    expect(it.readKept(`${OWN}/story.json`)).toContain('"title":"Less"');
    expect(it.readKept(`${OWN}/one.json`)).toContain('Nothing');
    expect(existsSync(join(it.worktree, '.SAGA/x.json'))).toBe(false);
  });

  test('renamed', async () => {
    const move = `git mv ${OWN}/story.json ${OWN}/plan.json && git mv .saga/epics .saga/epochs`;
    await using it = await runMisdeed([`${move} && git commit -qm Move`]);
    const moved = ['.saga/epochs/shop.json', `${OWN}/plan.json`];
    expectPutBack(it, ['.saga/epics/shop.json', ...moved, `${OWN}/story.json`].sort());
    expect(it.keptAside()).toEqual(moved);
  });

  test('replaced by links, to files and to folders', async () => {
    const links = [
      'mkdir ../aside && mv .saga/epics ../aside/epics && ln -s ../../aside/epics .saga/epics',
      `cp ${OWN}/story.json ../aside && ln -sf "$PWD/../aside/story.json" ${OWN}/story.json`,
      `ln -sf /etc/hostname ${OWN}/journal.md`,
      'mv .saga/stories/other ../aside/other && ln -s "$PWD/../aside/other" .saga/stories/other',
    ];
    await using it = await runMisdeed(links);
    const other = '.saga/stories/other';
    expectPutBack(it, [
      '.saga/epics',
      '.saga/epics/shop.json',
      `${OWN}/journal.md`,
      `${OWN}/story.json`,
      other,
      `${other}/story.json`,
      `${other}/x.json`,
    ]);
    expect(lstatSync(join(it.worktree, other)).isDirectory()).toBe(true);
    expect(it.readKept(`${OWN}/journal.md`)).toBe('a link to /etc/hostname\n');
    // What the links led to is not the plan's, and not touched.
    for (const name of ['epics/shop.json', 'story.json', 'other/x.json', 'other/story.json']) {
      expect(existsSync(join(it.worktrees, 'aside', name))).toBe(true);
    }
  });

  test('all of it replaced by one link', async () => {
    const link = 'cp -r .saga ../aside && node -e \'fs.rmSync(".saga", { recursive: true })\'';
    await using it = await runMisdeed([`${link} && ln -s "$PWD/../aside" .saga`]);
    expect(it.code).toBe(0);
    expect(lstatSync(join(it.worktree, '.saga')).isDirectory()).toBe(true);
    expect(it.pushedPlan()).toEqual(INTACT);
    expect(it.pushedStatuses('cart')).toEqual({ one: 'completed' });
  });

  test('a folder in place of a file, with something in it', async () => {
    const make = `rm ${OWN}/story.json && mkdir ${OWN}/story.json && echo mine > ${OWN}/story.json/a`;
    await using it = await runMisdeed([make]);
    expectPutBack(it, [`${OWN}/story.json`]);
    expect(it.readKept(`${OWN}/story.json/a`)).toBe('mine\n');
  });

  test('hidden from git: flagged in the index, ignored, left out of the checkout', async () => {
    await using it = await runMisdeed([
      `git update-index --assume-unchanged ${OWN}/story.json && echo "{}" > ${OWN}/story.json`,
      'git update-index --skip-worktree .saga/epics/shop.json && echo "{}" > .saga/epics/shop.json',
      `echo extra.json >> "$(git rev-parse --git-path info/exclude)"; echo '${EXTRA}' > ${OWN}/extra.json`,
    ]);
    expectPutBack(
      it,
      ['.saga/epics/shop.json', `${OWN}/extra.json`, `${OWN}/story.json`],
      ['.git/info/exclude'],
    );
    expect(it.eventsOf('git:index-flags-cleared')).toHaveLength(1);
  });
});

test('its own journal and notes are its own', async () => {
  const write = `printf '## Note: A\\n' > ${OWN}/journal.md && echo b > ${OWN}/b.md && chmod 400 ${OWN}/b.md`;
  await using it = await runMisdeed([write]);
  expect(it.code).toBe(0);
  expect(it.eventsOf('definitions:restored')).toEqual([]);
  expect(it.pushedPlan()).toEqual([`${OWN}/b.md`, ...INTACT].sort());
});
