import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Policy, walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { after } from '../../rig/faults/point.ts';
import { strikeWorker } from '../../rig/faults/struck-worker.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

/** The prompt of each run, once. */
const prompts = (it: Workshop) => [
  ...new Set(it.model.requests.map(({ conversation }) => conversation.prompt)),
];

test('a failure is fed to one more run, then it is for a person; mended, the next worker passes', async () => {
  await using it = await createWorkshop();
  const verify = 'echo "checking"; test -f fixed.txt || { echo "no fixed.txt" >&2; exit 5; }';
  it.story('x', { verify }, { a: {} });
  const first = await it.saga(['worker', 'x']);
  expect(first.code).toBe(3);
  expect(first.stdout).toContain(`✗ verify         ${verify} ended with code 5`);
  expect(it.events().filter((event) => event.type === 'run:start')).toHaveLength(2);
  expect(it.events().filter((event) => event.type === 'gate:failed')).toHaveLength(2);
  const [plain, told, ...more] = prompts(it);
  expect(more).toEqual([]);
  expect(plain).not.toContain('ended with code 5');
  expect(told).toContain('ended with code 5 in a clean checkout\n  checking\n  no fixed.txt');

  expect(it.github.pulls).toMatchObject([{ isDraft: true }]);
  expect(it.github.pulls[0]?.body).toContain('| verify | failed |');
  const status = await it.saga(['status']);
  expect(status.stdout).toContain('1 needs you: x');
  expect(await it.saga(['verify', 'x'])).toMatchObject({ code: 3 });

  const tree = join(it.root, '../project.stories/x');
  it.write('../project.stories/x/fixed.txt', 'by hand\n');
  it.git('-C', tree, 'add', '-A');
  it.git('-C', tree, 'commit', '-q', '-m', 'Mend it');
  const asked = it.model.requests.length;
  expect((await it.saga(['worker', 'x'])).code).toBe(0);
  expect(it.model.requests).toHaveLength(asked);
  expect(it.github.pulls).toMatchObject([{ isDraft: false }]);
  expect(it.github.pulls[0]?.body).toContain('| verify | passed |');
  expect((await it.saga(['status'])).stdout).not.toContain('needs you');
  expect(await it.saga(['verify', 'x'])).toMatchObject({ code: 0 });
  const log = it.git('log', '--format=%s', 'main..origin/story/x').split('\n');
  expect(log.filter((subject) => / its gate$/.test(subject))).toEqual([
    'saga: x passed its gate',
    'saga: x did not pass its gate',
    'saga: x did not pass its gate',
  ]);
});

test('a run that mends what it was told of makes it pass', async () => {
  const rehearsals = { a: { write: { 'a.txt': 'a\n', 'out.txt': 'o\n' }, commit: 'Too much' } };
  const walk = walkTasks({ rehearsals });
  const command = 'git rm -q out.txt && git commit -q -m "Not mine"';
  const policy: Policy = (conversation) => {
    if (!conversation.prompt.includes('changed files not in writeFiles: out.txt')) {
      return walk(conversation);
    }
    return conversation.callsSincePrompt.length > 0
      ? { text: 'Mended.' }
      : { calls: [{ tool: 'Bash', input: { command } }] };
  };
  await using it = await createWorkshop({ model: { policy } });
  it.story('x', { writeFiles: ['a.txt'] }, { a: {} });
  const { code, stdout } = await it.saga(['worker', 'x']);
  expect({ code, runs: it.events().filter((event) => event.type === 'run:start').length }).toEqual({
    code: 0,
    runs: 2,
  });
  expect(stdout).toContain('✗ write-files    changed files not in writeFiles: out.txt');
  expect(it.github.pulls).toMatchObject([{ isDraft: false }]);
});

test('a push that the remote refuses costs no further run, and passes once it is let in', async () => {
  await using it = await createWorkshop();
  const hook = join(it.origin, 'hooks/update');
  it.story('x', {}, { a: {} });
  it.write(
    '../origin.git/hooks/update',
    '#!/bin/sh\necho "Branches of stories are closed." >&2\nexit 1\n',
  );
  chmodSync(hook, 0o755);
  const first = await it.saga(['worker', 'x']);
  expect(first.code).toBe(3);
  expect(first.stdout).toContain(
    'none: origin refuses story/x (hook declined): Branches of stories',
  );
  expect(it.events().filter((event) => event.type === 'run:start')).toHaveLength(1);
  expect((await it.saga(['status'])).stdout).toContain('1 needs you: x');
  rmSync(hook);
  const asked = it.model.requests.length;
  expect((await it.saga(['worker', 'x'])).code).toBe(0);
  expect(it.model.requests).toHaveLength(asked);
  expect(it.github.pulls).toMatchObject([{ number: 1, isDraft: false }]);
});

test('a verify that outlasts the time is a limit, and is ended', async () => {
  await using it = await createWorkshop();
  it.story('x', { verify: 'sleep 300' }, { a: { status: 'completed' } });
  // The clock of the worker jumps as verify begins: how long the way there takes does not matter.
  const args = ['worker', 'x', '--max-time', '60'];
  const jump = () => 2 * 3_600_000;
  const { code, stdout } = await strikeWorker(it, after('event', 'gate:verify'), jump, { args });
  expect(code).toBe(2);
  expect(stdout).toContain('✗ verify         sleep 300 was stopped: the time is up');
  expect(it.model.requests).toEqual([]);
});
