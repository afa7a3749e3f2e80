import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { waitForGo } from '../support/open-conversation.ts';

contract(
  'the client itself tells after half a minute that a tool still runs, so this is no sign that the tool works',
  { since: '2.1.325' },
  async (stage) => {
    const client = await stage.start({ turns: [{ calls: [waitForGo] }, { text: 'Done.' }] });
    const beat = await client.seen(({ type }) => type === 'tool_progress');
    expect(beat).toMatchObject({ heartbeat: true, tool_name: 'Bash' });
    stage.write('go', '');
    expect(await client.ended).toMatchObject({ code: 0 });
  },
);
