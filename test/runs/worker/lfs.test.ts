import { execFileSync } from 'node:child_process';
import { test as anyTest, expect } from 'vitest';
import { findSandboxRefusal } from '../../rig/worker/find-sandbox-refusal.ts';
import { bash, misbehave } from '../../rig/worker/misbehave.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

const refusal = await findSandboxRefusal();
const test = anyTest.skipIf(refusal !== undefined);

const WORK = [
  'cat old.bin',
  'echo FIRST > new.bin && git add new.bin && git commit -qm first',
  'echo SECOND > new.bin && git commit -qam second',
  'rm old.bin && git checkout -q old.bin && cat old.bin',
];

test('a run in the sandbox works with Git LFS, and every version that it committed is uploaded', async () => {
  await using it = await createWorkshop({ model: { policy: misbehave(WORK.map(bash)) } });
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: it.root, env: it.environment, encoding: 'utf8' });
  git('lfs', 'install');
  git('lfs', 'track', '*.bin');
  git('remote', 'set-url', 'origin', `file://${it.origin}`);
  it.write('old.bin', 'OLD\n');
  const verify = 'grep -q OLD old.bin && grep -q SECOND new.bin';
  it.write('.saga/config.json', { worker: { sandbox: 'required' }, gate: { verify } });
  git('add', '-A');
  git('commit', '-qm', 'The plan');
  git('push', '-q', 'origin', 'main');
  it.story('cart', {}, { one: {} });
  const { code, stdout, stderr } = await it.saga(['worker', 'cart', '--max-cycles', '1']);
  expect(code, stdout + stderr).toBe(0);
  const answers = it.model.requests.at(-1)?.conversation.calls.slice(0, WORK.length);
  expect(answers?.map(({ result }) => result?.text).at(-1)).toContain('OLD');
  const uploaded = execFileSync('grep', ['-rhE', 'OLD|FIRST|SECOND', `${it.origin}/lfs/objects`]);
  expect(uploaded.toString().split('\n').sort()).toEqual(['', 'FIRST', 'OLD', 'SECOND']);
});
