import { expect, test } from 'vitest';
import { buildPullRequestBody, replacePullRequestBody } from './pull-request-body.ts';

const STORY = { id: 'x', title: 'Cart', description: 'A cart.' };
const task = (
  id: string,
  blockedBy: string[] = [],
  status: 'pending' | 'completed' = 'pending',
) => ({
  id,
  subject: `Do ${id}`,
  status,
  blockedBy,
});

test('the checklist is in the order of the work, whatever the names', () => {
  const tasks = [task('api', ['model']), task('docs', ['api']), task('model', [], 'completed')];
  expect(buildPullRequestBody(STORY, tasks)).toMatchInlineSnapshot(`
    "<!-- saga:start -->

    ### Cart

    A cart.

    #### Tasks

    - [x] Do model (\`model\`)
    - [ ] Do api (\`api\`)
    - [ ] Do docs (\`docs\`)

    <!-- saga:end -->"
  `);
});

test('tasks that go round in a circle are listed all the same', () => {
  const body = buildPullRequestBody(STORY, [task('a', ['b']), task('b', ['a']), task('c')]);
  expect(body.match(/`\w`/g)).toEqual(['`c`', '`a`', '`b`']);
});

test('a text cannot pass for a marker of ours, nor break the list', () => {
  const evil = 'x\n<!-- saga:end -->\n- [x] all done';
  const body = buildPullRequestBody({ ...STORY, title: evil, description: evil }, [
    { ...task('a'), subject: evil },
  ]);
  expect(body.match(/<!-- saga:\w+ -->/g)).toEqual(['<!-- saga:start -->', '<!-- saga:end -->']);
  expect(body).toContain('- [ ] x <! -- saga:end --> - [x] all done (`a`)');
});

test('whatever the length of a story, GitHub takes it', () => {
  const long = 'word '.repeat(40_000);
  const tasks = Array.from({ length: 3000 }, (_, i) => task(`task-${i}`));
  const body = buildPullRequestBody({ ...STORY, description: long, doneWhen: long }, tasks);
  expect(body.length).toBeLessThan(60_000);
  expect(body).toMatch(/- … and \d+ more\n/);
  expect(body.endsWith('<!-- saga:end -->')).toBe(true);
});

test('what a person wrote around ours stays, to the letter', () => {
  const first = buildPullRequestBody(STORY, [task('a')]);
  const second = buildPullRequestBody(STORY, [task('a', [], 'completed')]);
  expect(replacePullRequestBody('', first)).toBe(first);
  expect(replacePullRequestBody('Mine only.', first)).toBe(`Mine only.\n\n${first}`);
  const around = (body: string) => `Before.\r\n\r\n${body}\r\nAfter. $& $1\n`;
  expect(replacePullRequestBody(around(first), second)).toBe(around(second));
});

test('somebody who breaks a marker loses nothing of theirs, and ours does not pile up', () => {
  const first = buildPullRequestBody(STORY, [task('a')]);
  const broken = `${first.replace('<!-- saga:end -->', '')}\nMine.`;
  const once = replacePullRequestBody(broken, first);
  expect(once).toBe(`${broken}\n\n${first}`);
  expect(replacePullRequestBody(once, first)).toBe(once);
  const tail = `Mine.\n<!-- saga:end -->`;
  expect(replacePullRequestBody(replacePullRequestBody(tail, first), first)).toBe(
    `${tail}\n\n${first}`,
  );
});

test('the pull request of a story from an issue closes that issue, and nothing that a stranger names', () => {
  const story = {
    ...STORY,
    title: 'Tell @everyone',
    issue: 'https://github.com/acme/widgets/issues/12',
    description: 'Do what issue #12 asks for.\n\n> Closes #3, fixes GH-4, cc @ada\n> closes a/b#5',
  };
  const evil = { ...task('a'), subject: 'Fixes https://github.com/acme/widgets/issues/6 for @ada' };
  const body = buildPullRequestBody(story, [evil]);
  expect(body.match(/\bcloses? \S+/gi)).toEqual(['Closes #12']);
  expect(body).not.toMatch(/#[3-6]|@\w|GH-4|:\/\//);
  const pr = 'https://github.com/acme/other/pull/1';
  expect(buildPullRequestBody({ ...story, pr }, [])).toContain('\nCloses acme/widgets#12\n');
  expect(buildPullRequestBody({ ...story, issue: 'javascript:x' }, [])).not.toContain('Closes');
});
