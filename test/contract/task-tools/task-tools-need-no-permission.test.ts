import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { UNGUARDED } from '../support/permission-attempts.ts';

for (const mode of ['default', 'acceptEdits', 'dontAsk', 'plan']) {
  contract(`Task tools need no permission in mode ${mode}`, {}, async (stage) => {
    stage.writeTask('a');
    const { init, result, model } = await stage.run({
      bareArgs: [...UNGUARDED, '--permission-mode', mode],
      turns: [
        {
          calls: [
            { tool: 'TaskList', input: {} },
            { tool: 'TaskGet', input: { taskId: 'a' } },
            { tool: 'TaskUpdate', input: { taskId: 'a', status: 'completed' } },
            { tool: 'TaskCreate', input: { subject: 'Do more', description: 'All of it.' } },
          ],
        },
        { text: 'Done.' },
      ],
    });
    expect(init?.permissionMode).toBe(mode);
    expect(result?.permission_denials).toEqual([]);
    const calls = model.requests.at(-1)?.conversation.calls ?? [];
    expect(calls.map((call) => call.result?.isError)).toEqual([false, false, false, false]);
    expect(stage.readTask('a').status).toBe('completed');
    expect(stage.readTask('1').subject).toBe('Do more');
  });
}
