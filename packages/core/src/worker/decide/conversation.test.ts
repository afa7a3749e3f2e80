import { describe, expect, test } from 'vitest';
import { findFreshReason } from './conversation.ts';

const KNOWN = { sessionId: 'a', model: 'opus', contextTokens: 50_000, costUsd: 1 };
const WELL = { outcome: 'ok' } as const;
const NEXT = { model: 'opus', isForOneTask: false, longest: 120_000, quietCycles: 0 };

describe('a run goes on with the last conversation', () => {
  test('if that ended well and there is room', () => {
    expect(findFreshReason(KNOWN, WELL, NEXT)).toBeUndefined();
    expect(findFreshReason(KNOWN, WELL, { ...NEXT, longest: 50_000 })).toBeUndefined();
  });

  test.each([
    ['there is none', undefined, WELL, NEXT, 'first'],
    ['nothing ran yet', KNOWN, undefined, NEXT, 'first'],
    ['the run is for one task', KNOWN, WELL, { ...NEXT, isForOneTask: true }, 'one-task'],
    ['the context was used up', KNOWN, { outcome: 'context-exhausted' }, NEXT, 'not-ended-well'],
    ['the client crashed', KNOWN, { outcome: 'crash' }, NEXT, 'not-ended-well'],
    ['the worker cut it off', KNOWN, { ...WELL, stoppedBy: 'time' }, NEXT, 'not-ended-well'],
    ['the model is another one', KNOWN, WELL, { ...NEXT, model: 'haiku' }, 'model'],
    ['it is too long', KNOWN, WELL, { ...NEXT, longest: 49_999 }, 'too-long'],
    ['conversations are never continued', KNOWN, WELL, { ...NEXT, longest: 0 }, 'too-long'],
    ['it made no progress', KNOWN, WELL, { ...NEXT, quietCycles: 1 }, 'stuck'],
  ] as const)('but not if %s', (_, conversation, last, next, reason) => {
    expect(findFreshReason(conversation, last, next)).toBe(reason);
  });
});
