import { expect } from 'vitest';
import { contract } from '../rig/client/contract.ts';

/** The client tells a ping if it told nothing else for ten seconds. */
const turns = [
  { text: 'Done.', fault: { kind: 'slow-stream' as const, pauseMs: 1000, pings: 13 } },
];

contract(
  'with --include-partial-messages the stream tells pieces of an answer and pings, one in a line that begins with its type',
  {},
  async (stage) => {
    const run = await stage.run({ turns, args: ['--include-partial-messages'] });
    const pieces = run.stdout
      .split('\n')
      .filter((line) => line.startsWith('{"type":"stream_event"'))
      .map((line) => JSON.parse(line).event.type);
    expect(pieces).toContain('ping');
    expect(pieces).toContain('content_block_delta');
    expect(run.result?.result).toBe('Done.');
  },
);

contract('without it the stream has whole messages only', {}, async (stage) => {
  const run = await stage.run({ turns });
  expect(run.events.some(({ type }) => type === 'stream_event')).toBe(false);
});
