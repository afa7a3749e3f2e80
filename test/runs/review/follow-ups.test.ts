import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectJson } from '../../rig/screens/expect-json.ts';
import { openTerminal } from '../../rig/worker/terminal.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

const FOLLOW_UPS = `## Rounding is wrong

src/money.js rounds half down. \u001b[2J

**Done when:** node --test passes
**Verify:** \`touch ../pwned\`

- [x] Fix round()

## Docs

Say so in the README.
`;

test.each(['story', 'task'])(
  'a run in mode %s proposes stories: drafts in the inbox, no part of the plan',
  async (mode) => {
    const path = '.saga/stories/cart/follow-ups.md';
    await using it = await createWorkshop({
      rehearsals: {
        a: { write: { 'a.txt': 'a\n', [path]: FOLLOW_UPS }, commit: 'a: with proposals' },
        b: { write: { 'b.txt': 'b\n' }, run: [`printf '\\n## More\\n' >> ${path}`], commit: 'b' },
      },
    });
    it.write('.saga/config.json', { worker: { mode } });
    it.story(
      'cart',
      { writeFiles: ['*.txt'] },
      { a: { writeFiles: ['a.txt'] }, b: { blockedBy: ['a'] } },
    );
    const { code, stdout } = await it.saga(['worker', 'cart']);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain('saga drafts show 1');
    expect(it.model.requests[0]?.conversation.prompt).toContain(`write it into ${path}`);
    // Neither denied nor put back, and not in what is reviewed.
    const types = it.events().map(({ type }) => type);
    expect(types).toContain('follow-ups:kept');
    for (const type of ['definitions:restored', 'task:restored', 'guard:denied', 'gate:failed']) {
      expect(types).not.toContain(type);
    }
    expect(it.git('diff', '--name-only', 'main', 'story/cart')).not.toContain('follow-ups');
    expect(existsSync(join(it.worktrees, 'cart', path))).toBe(false);

    const inbox = await it.saga(['inbox', '--json']);
    await expectJson('inbox', inbox.stdout);
    const { drafts } = JSON.parse(inbox.stdout);
    expect(drafts).toMatchObject([
      { number: 1, title: 'Rounding is wrong', from: 'cart', next: 'saga drafts show 1' },
      { number: 2, title: 'Docs' },
      { number: 3, title: 'More' },
    ]);
    expect((await it.saga(['list', '--json'])).stdout).not.toContain('Rounding');

    // They outlive the worktree and the branch.
    expect(await it.saga(['delete', 'cart', '--yes'])).toMatchObject({ code: 0 });
    expect((await it.saga(['drafts', 'list'])).stdout).toContain('Rounding is wrong');
  },
);

test('a person looks at drafts, accepts one at a terminal, drops one; scripts must say --yes', async () => {
  const path = '.saga/stories/cart/follow-ups.md';
  await using it = await createWorkshop({
    rehearsals: { a: { write: { 'a.txt': 'a\n', [path]: FOLLOW_UPS }, commit: 'a' } },
  });
  it.story('cart', {}, { a: {} });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  const shown = await it.saga(['drafts', 'show', '1']);
  expect(shown.stdout).toContain('**Verify:** `touch ../pwned`');
  expect(shown.stdout).not.toContain('\u001b[2J');
  expect(shown.stdout).not.toContain('[x]');
  expect(shown.stdout).toContain('Accept it: saga drafts accept 1   Drop it: saga drafts drop 1');
  const asJson = await it.saga(['drafts', 'show', '1', '--json']);
  await expectJson('drafts show', asJson.stdout);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ faults: [], story: null });
  for (const verb of ['show', 'accept', 'drop']) {
    expect(await it.saga(['drafts', verb, '9'])).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('These wait: 1, 2.') },
    });
  }
  const alone = await it.saga(['drafts', 'accept', '1']);
  expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining('add --yes') });

  const dropped = await it.saga(['drafts', 'drop', '2', '--json']);
  await expectJson('drafts drop', dropped.stdout);
  using terminal = openTerminal(it.root, ['drafts', 'accept', '1'], it.environment);
  await terminal.shows(/Make it a story\? y yes, e open it in your editor, N no: *$/m);
  terminal.type('y', 'Enter');
  await terminal.shows(/✓ story rounding-is-wrong\n.*saga show rounding-is-wrong\nended with 0/);
  const { tasks } = JSON.parse((await it.saga(['show', 'rounding-is-wrong', '--json'])).stdout);
  expect(tasks).toMatchObject([{ subject: 'Fix round()', status: 'pending' }]);

  const list = await it.saga(['drafts', 'list', '--all', '--json']);
  await expectJson('drafts list', list.stdout);
  expect(JSON.parse(list.stdout).drafts).toMatchObject([
    { state: 'accepted' },
    { state: 'dropped' },
  ]);
  expect((await it.saga(['drafts', 'list'])).stdout).toBe('No draft waits for you.\n');
  expect(await it.saga(['drafts', 'drop', '1'])).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining('saga delete rounding-is-wrong') },
  });
  // Dropped is not gone. Nobody has seen its verify command with --yes, so a run would ask first.
  const late = await it.saga(['drafts', 'accept', '2', '--yes', '--json']);
  await expectJson('drafts accept', late.stdout);
  expect(JSON.parse(late.stdout)).toMatchObject({ number: 2, story: 'docs' });
});
