import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { command, hooksOn, REFUSES } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';

const beside = (event: string) => ({
  hooks: { ...hooksOn('PreToolUse', REFUSES).hooks, ...hooksOn(event, command('true')).hooks },
});

contract('an event nobody knows leaves the other hooks on', { since: '2.1.101' }, async (stage) => {
  expect((await runWrite(stage, { settings: beside('NoSuchEvent') })).written).toBe(false);
});

contract(
  'an event nobody knows silently switches every hook of the file off',
  { until: '2.1.101' },
  async (stage) => {
    const run = await runWrite(stage, { settings: beside('NoSuchEvent') });
    expect(run).toMatchObject({ written: true, stderr: '' });
  },
);

contract(
  'TaskCompleted is unknown and switches every hook off',
  { until: '2.1.33' },
  async (stage) => {
    expect((await runWrite(stage, { settings: beside('TaskCompleted') })).written).toBe(true);
  },
);
