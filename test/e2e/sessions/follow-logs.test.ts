import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describeProcess } from '@saga-ai/core/processes/identity';
import { EXIT_CODES } from '@saga-ai/types/run/session-record';
import { expect, test } from 'vitest';
import { PLAIN_ENVIRONMENT, runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createSampleProject, type SampleProject } from '../../rig/project/sample-project.ts';

/** The record and the output file of a session. It lives as long as this test, unless its record says more. */
function writeRecord({ root, write }: SampleProject, session: string, more: object = {}): void {
  write('events.jsonl', '{"time":"2026-01-01T10:00:00.000Z","type":"run:text"}\n');
  write(`.git/saga/runs/sessions/${session}.json`, {
    ...describeProcess(process.pid),
    version: 1,
    session,
    story: 'pay',
    tmux: false,
    startedAt: '2026-01-01T10:00:00.000Z',
    outputFile: join(root, 'events.jsonl'),
    model: 'opus',
    cycle: 1,
    tokens: 1,
    costUsd: 0,
    ...more,
  });
}

test.each(Object.entries(EXIT_CODES))(
  'logs -f of a worker that ended with %s ends with %i',
  async (outcome, code) => {
    using project = createSampleProject();
    const end = { endedAt: '2026-01-01T10:01:00.000Z', outcome, reason: 'so' };
    writeRecord(project, 'saga-story-pay-1', end);
    const call = (...args: string[]) =>
      runProgram(SAGA, ['logs', ...args, 'pay'], { cwd: project.root });
    expect((await call('-f')).code).toBe(code);
    expect((await call()).code).toBe(0);
  },
);

test('logs -f of a worker that died ends with 1', async () => {
  using project = createSampleProject();
  // A number that no process has.
  writeRecord(project, 'saga-story-pay-1', { pid: 2 ** 22 + 1 });
  const { code } = await runProgram(SAGA, ['logs', '-f', 'pay'], { cwd: project.root });
  expect(code).toBe(1);
});

test('logs -f ends with the session it follows, though another began meanwhile', async () => {
  using project = createSampleProject();
  const [older, newer] = ['saga-story-pay-1', 'saga-story-pay-2'];
  writeRecord(project, older);
  const child = spawn(process.execPath, [SAGA, 'logs', '-f', '--raw', 'pay'], {
    cwd: project.root,
    env: PLAIN_ENVIRONMENT,
  });
  using _child = { [Symbol.dispose]: () => void child.kill('SIGKILL') };
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  writeRecord(project, newer, { startedAt: '2026-01-01T11:00:00.000Z' });
  const end = { endedAt: '2026-01-01T11:01:00.000Z', outcome: 'done', reason: 'done' };
  writeRecord(project, older, end);
  expect((await closed)[0]).toBe(0);
});
