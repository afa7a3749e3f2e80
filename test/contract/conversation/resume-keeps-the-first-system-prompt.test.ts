import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';

const ID = '3f0e8a52-6f0b-4d8c-9a51-0d3f1c2b4a69';

contract(
  'a resumed session keeps its first system prompt, unless the snapshot is off',
  { since: '2.1.268' },
  async (stage) => {
    await run(stage, '--session-id', ID, '--append-system-prompt', 'FIRST');
    const changed = ['--resume', ID, '--append-system-prompt', 'SECOND'];
    expect(await run(stage, ...changed)).toEqual(['FIRST']);
    expect(await run(stage, ...changed, '--system-prompt-snapshot', 'off')).toEqual(['SECOND']);
  },
);

contract(
  'a resumed session gets the system prompt of the new run',
  { until: '2.1.268' },
  async (stage) => {
    await run(stage, '--session-id', ID, '--append-system-prompt', 'FIRST');
    const changed = ['--resume', ID, '--append-system-prompt', 'SECOND'];
    expect(await run(stage, ...changed)).toEqual(['SECOND']);
  },
);

/** Which of the marks the model was told as system. */
async function run(stage: Stage, ...args: string[]): Promise<string[]> {
  const { model } = await stage.run({ args, turns: [{ text: 'Done.' }] });
  const system = model.requests.find(({ kind }) => kind === 'turn')?.conversation.system ?? '';
  return ['FIRST', 'SECOND'].filter((mark) => system.includes(mark));
}
