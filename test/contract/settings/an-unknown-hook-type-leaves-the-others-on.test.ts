import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { hooksOn, REFUSES } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';

const beside = (type: string) => ({
  hooks: {
    ...hooksOn('PreToolUse', REFUSES).hooks,
    ...hooksOn('Stop', { type, url: 'http://127.0.0.1:9/' }).hooks,
  },
});

contract('a type nobody knows leaves the other hooks on', { since: '2.1.257' }, async (stage) => {
  expect((await runWrite(stage, { settings: beside('telepathy') })).written).toBe(false);
});

contract(
  'a type nobody knows silently switches every hook of the file off',
  { until: '2.1.257' },
  async (stage) => {
    const run = await runWrite(stage, { settings: beside('telepathy') });
    expect(run).toMatchObject({ written: true, stderr: '' });
  },
);

contract('http is unknown and switches every hook off', { until: '2.1.63' }, async (stage) => {
  expect((await runWrite(stage, { settings: beside('http') })).written).toBe(true);
});
