import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createStopSignal, untilAborted } from './stop-signal.ts';

function arrange() {
  const events = new EventEmitter();
  const exits: number[] = [];
  let time = 0;
  const signal = createStopSignal({
    on: (name, listener) => void events.on(name, listener),
    exit: (code) => void exits.push(code),
    now: () => time,
  });
  const send = (name: string, after: number) => {
    time += after;
    events.emit(name);
  };
  return { signal, send, exits };
}

test('the first signal asks for an end in order', () => {
  const { signal, send, exits } = arrange();
  expect(signal.aborted).toBe(false);
  send('SIGTERM', 0);
  expect(signal.reason).toBe('stopped on request (SIGTERM)');
  expect(exits).toEqual([]);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('a second %s exits at once', (name, code) => {
  const { signal, send, exits } = arrange();
  send('SIGINT', 0);
  send(name, 600);
  expect(signal.reason).toBe('stopped with Ctrl-C (SIGINT)');
  expect(exits).toEqual([code]);
});

test('one Ctrl-C that arrives twice counts once', () => {
  const { send, exits } = arrange();
  send('SIGINT', 0);
  send('SIGINT', 20);
  expect(exits).toEqual([]);
});

test('a terminal that is closed may say so many times', () => {
  const { send, exits } = arrange();
  for (let i = 0; i < 3; i++) send('SIGHUP', 1000);
  expect(exits).toEqual([]);
});

test('whoever waits for a signal that came already does not wait', async () => {
  await untilAborted(AbortSignal.abort());
  const { signal, send } = arrange();
  const waiting = untilAborted(signal);
  send('SIGINT', 0);
  await waiting;
});
