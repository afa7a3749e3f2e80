import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, RETRY_ONCE, SUCCESS } from '../support/outcome-of-run.ts';

const input = { command: 'sleep 0.2', run_in_background: true };

contract(
  'system events come between init and result in any number',
  { since: '2.1.100' },
  async (it) => {
    const run = await it.run({
      turns: [
        { fault: { status: 500 } },
        { calls: [{ tool: 'Bash', input }] },
        { text: 'Done.' },
        { text: 'And again.' },
      ],
      env: RETRY_ONCE,
    });
    expect(outcomeOf(run)).toEqual(SUCCESS);
    const others = run.events
      .filter((event) => event.type === 'system')
      .map((event) => event.subtype);
    expect(others).toEqual(
      expect.arrayContaining(['api_retry', 'task_started', 'task_notification']),
    );
    // All of them say what they are and where they belong, so that a reader may skip them.
    for (const event of run.events) {
      expect(event).toMatchObject({ type: expect.any(String), session_id: run.init?.session_id });
    }
  },
);
