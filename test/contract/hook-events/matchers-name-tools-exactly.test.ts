import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createLineLog } from '../support/hooks-log.ts';
import { bash, calls, DONE } from '../support/hooks-write.ts';

contract(
  'a matcher is * or nothing for all, a name, A|B, or a pattern for whole names',
  {},
  async (stage) => {
    stage.writeTask('a');
    const log = createLineLog(stage);
    const tool = `$(sed 's/.*"tool_name":"\\([A-Za-z]*\\)".*/\\1/')`;
    const matchers = ['*', '', 'TaskUpdate|Bash', 'Task', 'bash', 'Task.*'];
    const PreToolUse = matchers.map((matcher) => ({
      matcher,
      hooks: [log.hook(`<${matcher}> ${tool.replaceAll('"', '\\"')}`)],
    }));
    const update = calls('TaskUpdate', { taskId: 'a', status: 'in_progress' });
    const turns = [update, calls('TaskList', {}), bash('true'), DONE];
    await stage.run({ turns, settings: { hooks: { PreToolUse } } });
    expect(log.lines().toSorted()).toEqual([
      '<*> Bash',
      '<*> TaskList',
      '<*> TaskUpdate',
      '<> Bash',
      '<> TaskList',
      '<> TaskUpdate',
      '<Task.*> TaskList',
      '<Task.*> TaskUpdate',
      '<TaskUpdate|Bash> Bash',
      '<TaskUpdate|Bash> TaskUpdate',
    ]);
  },
);
