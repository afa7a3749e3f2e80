import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { ALL_FOUR, offerTaskTools } from '../support/tools-offered.ts';

const SWITCHED_ON = { CLAUDE_CODE_ENABLE_TASKS: 'true', CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' };

contract(
  'Task tools that --tools does not name are in init, but the model gets only their names',
  { since: '2.1.304' },
  async (stage) => {
    const { inInit, inRequest, system } = await offerTaskTools(stage, { env: SWITCHED_ON });
    expect(inInit).toEqual(ALL_FOUR);
    expect(inRequest).toEqual([]);
    expect(system).toContain('Their schemas are NOT loaded');
    for (const tool of ALL_FOUR) expect(system).toMatch(new RegExp(`^${tool}$`, 'm'));
  },
);

contract(
  'ToolSearch loads the schemas of deferred Task tools',
  { since: '2.1.304' },
  async (stage) => {
    stage.writeTask('a');
    const { model } = await stage.run({
      plain: true,
      env: { ...SWITCHED_ON, CLAUDE_CODE_TASK_LIST_ID: stage.listId },
      turns: [
        { calls: [{ tool: 'ToolSearch', input: { query: 'select:TaskList,TaskUpdate' } }] },
        { calls: [{ tool: 'TaskList', input: {} }] },
        { text: 'Done.' },
      ],
    });
    const turns = model.requests.filter(({ kind }) => kind === 'turn');
    const tools = turns.map(({ conversation }) =>
      conversation.tools.filter((tool) => ALL_FOUR.includes(tool)),
    );
    expect(tools).toEqual([[], ['TaskList', 'TaskUpdate'], ['TaskList', 'TaskUpdate']]);
    expect(turns[2]?.conversation.calls[1]?.result?.text).toBe('#a [pending] Do a');
  },
);
