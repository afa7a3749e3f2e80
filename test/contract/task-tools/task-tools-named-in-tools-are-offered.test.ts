import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';

contract(
  'Task tools named in --tools are in init and in the first request, with their schemas',
  {},
  async (stage) => {
    const { init, model } = await stage.run({ turns: [{ text: 'Done.' }] });
    const tools = ['TaskList', 'TaskGet', 'TaskUpdate', 'TaskCreate'];
    expect(init?.tools).toEqual(expect.arrayContaining(tools));
    const [first] = model.requests.filter((request) => request.kind === 'turn');
    expect(first?.conversation.tools).toEqual(expect.arrayContaining(tools));
  },
);
