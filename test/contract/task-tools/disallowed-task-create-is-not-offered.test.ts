import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';

contract(
  '--disallowedTools TaskCreate takes it away although --tools names it, and leaves the others',
  {},
  async (stage) => {
    const args = ['--disallowedTools', 'TaskCreate'];
    const { init, model } = await stage.run({ args, turns: [{ text: 'Done.' }] });
    const others = ['TaskList', 'TaskGet', 'TaskUpdate'];
    const offered = model.requests.find(({ kind }) => kind === 'turn')?.conversation.tools;
    for (const tools of [init?.tools, offered]) {
      expect(tools).toEqual(expect.arrayContaining(others));
      expect(tools).not.toContain('TaskCreate');
    }
  },
);
