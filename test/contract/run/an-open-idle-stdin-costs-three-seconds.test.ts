import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { parseScript, startModel } from '@saga-ai/model';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';

/** A run whose standard input nobody writes to and nobody closes; it is killed when time is up. */
async function runWithOpenInput(stage: Stage, timeout: number) {
  const script = parseScript('open input', { turns: [{ text: 'Done.' }] });
  await using model = await startModel({ script });
  const { program, lead } = stage.client;
  const args = ['-p', 'Go.', '--output-format', 'stream-json', '--verbose'];
  const start = performance.now();
  const child = spawn(program, [...lead, ...args], {
    cwd: stage.repo,
    env: stage.environment(model),
    timeout,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code, signal, ms: performance.now() - start };
}

contract('an open standard input that stays silent costs 3 s', { since: '2.1.100' }, async (it) => {
  const { code, stdout, stderr, ms } = await runWithOpenInput(it, 200_000);
  expect(code).toBe(0);
  expect(stdout).toContain('"result":"Done."');
  expect(stderr).toContain('no stdin data received in 3s');
  expect(ms).toBeGreaterThan(3000);
});

contract('an open standard input is waited for without end', { until: '2.1.31' }, async (stage) => {
  const { signal, stdout } = await runWithOpenInput(stage, 15_000);
  expect({ signal, stdout }).toEqual({ signal: 'SIGKILL', stdout: '' });
});
