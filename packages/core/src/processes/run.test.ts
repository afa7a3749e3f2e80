import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { runProgram, startProgram } from './run.ts';

const env = { PATH: process.env.PATH ?? '' };

/** What ssh with ControlPersist does: a session of its own, which keeps the output open until it is let go. */
const HOLDER = 'setsid sh -c "until [ -e free ]; do sleep 0.05; done; : > ended" &';

/** Lets the holder go, which lives until then, and waits for its end. */
async function letGo(folder: string): Promise<void> {
  expect(existsSync(join(folder, 'ended'))).toBe(false);
  writeFileSync(join(folder, 'free'), '');
  await expect.poll(() => existsSync(join(folder, 'ended'))).toBe(true);
}

test('a program is over when it ends, though something it left holds its output', async () => {
  using folder = createTempFolder();
  const script = `${HOLDER} echo out; echo err >&2; exit 3`;
  const result = await runProgram('sh', ['-c', script], { cwd: folder.path, env });
  expect(result).toMatchObject({ code: 3, stdout: 'out\n', stderr: 'err\n', timedOut: false });
  await letGo(folder.path);
});

test('a time-out ends it, though something it left holds its output', async () => {
  using folder = createTempFolder();
  const script = `${HOLDER} exec sleep 1000`;
  const options = { cwd: folder.path, env, timeoutMs: 3000 };
  const result = await runProgram('sh', ['-c', script], options);
  expect(result).toMatchObject({ signal: 'SIGKILL', timedOut: true });
  await letGo(folder.path);
});

test('the same for one that talks in lines: its last line counts, also without an end', async () => {
  using folder = createTempFolder();
  const lines: string[] = [];
  const script = `${HOLDER} echo one; printf two`;
  const options = { cwd: folder.path, env };
  const program = startProgram('sh', ['-c', script], options, (line) => lines.push(line));
  expect(await program.ended).toMatchObject({ code: 0 });
  expect(lines).toEqual(['one', 'two']);
  await letGo(folder.path);
});

test('all output of a program that ended is there, however slowly it is read', async () => {
  const script =
    'i=0; while [ $i -lt 2000 ]; do echo "$i xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"; i=$((i+1)); done';
  const running = runProgram('sh', ['-c', script], { cwd: '/', env });
  // Nobody reads meanwhile; what the pipe holds must still be read after its end.
  const until = Date.now() + 1500;
  while (Date.now() < until);
  const { stdout } = await running;
  expect(stdout.trimEnd().split('\n')).toHaveLength(2000);
  expect(stdout).toMatch(/^0 x+\n1 x/);
  expect(stdout).toMatch(/\n1999 x+\n$/);
});

test('an output that is too long is cut at its front, and says so', async () => {
  const script =
    'i=0; while [ $i -lt 300 ]; do echo "line $i"; i=$((i+1)); done; sleep 0.1; echo end';
  const options = { cwd: '/', env, maxOutput: 100 };
  const long = await runProgram('sh', ['-c', script], options);
  expect(long.isCut).toBe(true);
  expect(long.stdout).toMatch(/end\n$/);
  expect((await runProgram('echo', ['short'], options)).isCut).toBe(false);
});

test('stopped before it starts, it does not start; stopped later, it ends', async () => {
  using folder = createTempFolder();
  const script = 'echo began > began; exec sleep 1000';
  const options = { cwd: folder.path, env };
  const early = await runProgram('sh', ['-c', script], {
    ...options,
    stop: AbortSignal.abort('no'),
  });
  expect(early).toMatchObject({ code: null, wasStopped: true });
  expect(existsSync(join(folder.path, 'began'))).toBe(false);
  const controller = new AbortController();
  const running = runProgram('sh', ['-c', script], { ...options, stop: controller.signal });
  await expect.poll(() => existsSync(join(folder.path, 'began'))).toBe(true);
  controller.abort('enough');
  expect(await running).toMatchObject({ signal: 'SIGKILL', wasStopped: true, timedOut: false });
});
