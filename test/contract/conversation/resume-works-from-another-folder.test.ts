import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseScript, startModel } from '@saga-ai/model';
import { expect } from 'vitest';
import { startClient } from '../../rig/client/client-run.ts';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { saidBefore } from '../support/sessions-said.ts';

const ID = '3f0e8a52-6f0b-4d8c-9a51-0d3f1c2b4a69';

contract('--resume works from another folder', { since: '2.1.223' }, async (stage) => {
  const first = { prompt: 'First words.', turns: [{ text: 'First answer.' }] };
  await stage.run({ ...first, args: ['--session-id', ID] });
  const { code, init, said } = await resumeIn(stage, join(stage.repo, '..', 'elsewhere'));
  expect(code).toBe(0);
  expect(init).toMatchObject({ session_id: ID, cwd: join(stage.repo, '..', 'elsewhere') });
  expect(said).toEqual(['user: First words.', 'assistant: First answer.', 'user: Second words.']);
});

contract('--resume finds nothing from another folder', { until: '2.1.223' }, async (stage) => {
  await stage.run({ args: ['--session-id', ID], turns: [{ text: 'First answer.' }] });
  const { code, result } = await resumeIn(stage, join(stage.repo, '..', 'elsewhere'));
  expect(code).toBe(1);
  expect(result?.errors).toEqual([`No conversation found with session ID: ${ID}`]);
});

async function resumeIn(stage: Stage, cwd: string) {
  mkdirSync(cwd);
  const script = parseScript('elsewhere', { turns: [{ text: 'Second answer.' }] });
  await using model = await startModel({ script });
  const args = ['-p', '--output-format', 'stream-json', '--verbose', '--resume', ID];
  const env = stage.environment(model);
  const { ended } = startClient(stage.client, { args, cwd, env, prompt: 'Second words.' });
  const run = await ended;
  model.check();
  return { ...run, said: saidBefore({ model }) };
}
