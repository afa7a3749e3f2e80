import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';

contract(
  '--bare has no Task tools, whatever else asks for them',
  { since: '2.1.100' },
  async (stage) => {
    const { init, code } = await stage.run({ args: ['--bare'], turns: [{ text: 'Done.' }] });
    expect(code).toBe(0);
    expect(init?.tools.toSorted()).toEqual(['Bash', 'Edit', 'Read']);
  },
);
