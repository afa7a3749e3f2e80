import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, SUCCESS } from '../support/outcome-of-run.ts';
import { UNGUARDED } from '../support/permission-attempts.ts';

contract(
  'a denied call is an error for the model and an entry in permission_denials, no more',
  {},
  async (stage) => {
    const input = { file_path: join(stage.home, 'outside'), content: 'x' };
    const run = await stage.run({
      bareArgs: [...UNGUARDED, '--permission-mode', 'acceptEdits'],
      turns: [
        { calls: [{ tool: 'Write', input }] },
        { calls: [{ tool: 'Write', input }] },
        { text: 'I give up.' },
      ],
    });
    expect(outcomeOf(run)).toEqual(SUCCESS);
    expect(run.result?.result).toBe('I give up.');
    const calls = run.model.requests.at(-1)?.conversation.calls ?? [];
    expect(calls.map((call) => call.result?.isError)).toEqual([true, true]);
    expect(run.result?.permission_denials).toEqual(
      calls.map(({ id }) =>
        expect.objectContaining({
          tool_name: 'Write',
          tool_use_id: id,
          tool_input: input,
        }),
      ),
    );
  },
);
