import type { Sign } from '@saga-ai/types/run/check-in-events';
import { expect, test } from 'vitest';
import { beginVigil, findSign, judgeCheckIn, type RunLook, type Used } from './signs-of-life.ts';

const MINUTE = 60_000;
const client: Used = { cpuMs: 500, bytes: 600_000, isAgent: true };
const command: Used = { cpuMs: 10, bytes: 6976, isAgent: false };

const look = (
  minutes: number,
  processes: Record<string, Used> = { client, command },
  more: Partial<RunLook> = {},
): RunLook => ({
  at: minutes * MINUTE,
  lines: 7,
  processes: new Map(Object.entries(processes)),
  ...more,
});

const more = (used: Used, cpuMs: number, bytes = 0): Used => ({
  ...used,
  cpuMs: used.cpuMs + cpuMs,
  bytes: (used.bytes ?? 0) + bytes,
});

test.each<[string, RunLook, Sign | undefined]>([
  ['nothing changed', look(3), undefined],
  // As measured: a waiting client uses 0.5 % of a processor, and writes 70 bytes a second.
  [
    'a client that waits keeps its own timers',
    look(3, { client: more(client, 900, 13_000), command }),
    undefined,
  ],
  ['the client works itself', look(3, { client: more(client, 10_000), command }), 'processor'],
  ['the agent said something', look(3, undefined, { lines: 8 }), 'output'],
  ['a silent build', look(3, { client, command: more(command, 170_000) }), 'processor'],
  ['a runtime that idles', look(3, { client, command: more(command, 200) }), undefined],
  ['a test that sleeps and writes a byte', look(3, { client, command: more(command, 0, 1) }), 'io'],
  ['a command began', look(3, { client, command, other: command }), 'process'],
  ['a command ended', look(3, { client }), 'process'],
  ['the agent waits for the model', look(3, undefined, { waitsUntil: 2 * MINUTE }), 'waiting'],
  ['it waited, and that is over', look(6, undefined, { waitsUntil: -1 }), undefined],
  [
    'the system counts no bytes',
    look(3, { client, command: { cpuMs: 10, isAgent: false } }),
    undefined,
  ],
])('%s', (_, after, sign) => {
  expect(findSign(look(0), after)).toBe(sign);
});

/** Judges check-ins every three minutes: a dot is a sign, a dash is none. */
function judge(signs: string, misses = 2, times?: readonly number[]) {
  let vigil = beginVigil(0);
  return [...signs].map((it, index) => {
    const now = (times?.[index] ?? (index + 1) * 3) * MINUTE;
    const sign = it === '.' ? 'output' : undefined;
    const judged = judgeCheckIn(vigil, sign, now, { everyMs: 3 * MINUTE, misses });
    vigil = judged.vigil;
    return judged.step;
  });
}

test('two silent check-ins in a row: asked; one more: ended', () => {
  expect(judge('---')).toEqual(['wait', 'ask', 'end']);
  expect(judge('.-.-.-')).toEqual(Array(6).fill('wait'));
  expect(judge('----', 3)).toEqual(['wait', 'wait', 'ask', 'end']);
  expect(judge('--', 1)).toEqual(['ask', 'end']);
});

test('a sign after the question: the run is alive, and everything begins anew', () => {
  expect(judge('--.---')).toEqual(['wait', 'ask', 'alive', 'wait', 'ask', 'end']);
});

test('a machine that slept, and a clock that was set, prove nothing', () => {
  expect(judge('----', 2, [3, 600, 603, 606])).toEqual(['wait', 'wait', 'ask', 'end']);
  expect(judge('---', 2, [3, -500, -497])).toEqual(['wait', 'wait', 'ask']);
});
