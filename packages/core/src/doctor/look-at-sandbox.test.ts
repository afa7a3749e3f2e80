import { Config } from '@saga-ai/types/config';
import { expect, test } from 'vitest';
import { findSandboxRefusal } from '../../../../test/rig/worker/find-sandbox-refusal.ts';
import { claude } from '../agents/claude/agent.ts';
import { sandboxPrograms } from '../needs/client-needs.ts';
import { checkNeeds } from './check-needs.ts';
import { lookAtSandbox } from './look-at-sandbox.ts';

const works = test.skipIf((await findSandboxRefusal()) !== undefined);
const check = (given: object, PATH = process.env.PATH) => {
  const config = Config.parse(given);
  const place = { root: '/', config, env: { PATH }, agent: claude };
  return checkNeeds([sandboxPrograms], place, new Map([[sandboxPrograms, lookAtSandbox(config)]]));
};

test('without bubblewrap, auto is a warning and required a problem, both with the remedy', async () => {
  expect(await check({}, '/nowhere')).toEqual([
    {
      name: 'sandbox',
      state: 'warning',
      message: 'runs are not enclosed: bubblewrap is not installed',
      fix: 'Install the package bubblewrap.',
    },
  ]);
  const [found] = await check({ worker: { sandbox: 'required' } }, '/nowhere');
  expect(found).toMatchObject({ state: 'problem' });
  expect(found?.fix).toContain('Install the package bubblewrap.');
});

test('who switched the sandbox off is told what that means, and not more', async () => {
  const [found] = await check({ worker: { sandbox: 'off' } }, '/nowhere');
  expect(found).toEqual({ name: 'sandbox', state: 'ok', message: 'off: a run has your rights' });
});

works('an allowed socket that opens the walls is named', async () => {
  const allow = ['/var/run/docker.sock', '/run/postgresql'];
  const [first, ...openings] = await check({ sandbox: { allow } });
  expect(first).toMatchObject({ state: 'ok', message: 'bubblewrap works' });
  expect(openings).toHaveLength(1);
  expect(openings[0]?.message).toContain('/var/run/docker.sock');
});
