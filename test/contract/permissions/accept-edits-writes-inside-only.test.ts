import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { attemptAll } from '../support/permission-attempts.ts';

contract('acceptEdits writes inside the directory and runs no program', {}, async (stage) => {
  const { run, done, denied } = await attemptAll(stage, ['--permission-mode', 'acceptEdits']);
  expect(run.init?.permissionMode).toBe('acceptEdits');
  expect(done).toEqual(['write inside', 'touch inside', 'git status']);
  expect(denied).toEqual(['write outside', 'redirect outside', 'npm test', 'node']);
});
