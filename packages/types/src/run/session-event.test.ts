import { expect, test } from 'vitest';
import { formatSessionEvent, parseSessionEvent } from './session-event.ts';

test('an event is one line, and comes back whole', () => {
  const event = { time: '2026-01-01T00:00:00Z', type: 'run:start', claude: { text: 'a\nb' } };
  const line = formatSessionEvent(event);
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(parseSessionEvent(line)).toEqual(event);
});

test.each(['', '{"time":"x","type":"run:st', '{"type":"run:start"}', '{"time":"x","type":"run"}'])(
  '%j is no event',
  (line) => {
    expect(parseSessionEvent(line)).toBeUndefined();
  },
);
