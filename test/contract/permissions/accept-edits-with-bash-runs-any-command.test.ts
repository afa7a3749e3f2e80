import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { attemptAll } from '../support/permission-attempts.ts';

contract(
  'acceptEdits with Bash allowed denies only file tools outside the directory',
  {},
  async (stage) => {
    const flags = ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'];
    const { done, denied } = await attemptAll(stage, flags);
    expect(done).toEqual([
      'write inside',
      'redirect outside',
      'touch inside',
      'npm test',
      'node',
      'git status',
    ]);
    expect(denied).toEqual(['write outside']);
  },
);
