import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';

/** The client tells a ping if it told nothing else for ten seconds. */
const turns = [
  { text: 'Done.', fault: { kind: 'slow-stream' as const, pauseMs: 1000, pings: 13 } },
];

async function listPieces(stage: Stage): Promise<string[]> {
  const run = await stage.run({ turns, args: ['--include-partial-messages'] });
  expect(run.result?.result).toBe('Done.');
  return run.stdout
    .split('\n')
    .filter((line) => line.startsWith('{"type":"stream_event"'))
    .map((line) => JSON.parse(line).event.type);
}

contract(
  'with --include-partial-messages the stream tells pieces of an answer, one in a line that begins with its type',
  {},
  async (stage) => expect(await listPieces(stage)).toContain('content_block_delta'),
);

contract('it also tells pings', { since: '2.1.233' }, async (stage) =>
  expect(await listPieces(stage)).toContain('ping'),
);

contract('without it the stream has whole messages only', {}, async (stage) => {
  const run = await stage.run({ turns });
  expect(run.events.some(({ type }) => type === 'stream_event')).toBe(false);
});
