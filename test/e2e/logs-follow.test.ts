import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describeProcess } from '@saga-ai/core/processes/identity';
import { expect, test } from 'vitest';
import { PLAIN_ENVIRONMENT, SAGA } from '../rig/programs/run-program.ts';
import { createSampleProject } from '../rig/project/sample-project.ts';

test('logs -f ends with the session it follows, though another began meanwhile', async () => {
  using project = createSampleProject();
  const [older, newer] = ['saga-story-pay-1', 'saga-story-pay-2'];
  // Alive as long as this test: nothing but an end in the record ends them.
  const living = { ...describeProcess(process.pid), version: 1, story: 'pay', tmux: false };
  const spent = { model: 'opus', cycle: 1, tokens: 1, costUsd: 0 };
  const outputFile = join(project.root, 'events.jsonl');
  project.write('events.jsonl', '{"time":"2026-01-01T10:00:00.000Z","type":"run:text"}\n');
  const record = (session: string, startedAt: string, more = {}) =>
    project.write(`.saga/runs/sessions/${session}.json`, {
      ...living,
      ...spent,
      session,
      startedAt,
      outputFile,
      ...more,
    });
  record(older, '2026-01-01T10:00:00.000Z');
  const child = spawn(process.execPath, [SAGA, 'logs', '-f', '--raw', 'pay'], {
    cwd: project.root,
    env: PLAIN_ENVIRONMENT,
  });
  using _child = { [Symbol.dispose]: () => void child.kill('SIGKILL') };
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  record(newer, '2026-01-01T11:00:00.000Z');
  const end = { endedAt: '2026-01-01T11:01:00.000Z', outcome: 'done', reason: 'done' };
  record(older, '2026-01-01T10:00:00.000Z', end);
  expect((await closed)[0]).toBe(0);
});
