import { expect, test } from 'vitest';
import type { RunEvent } from './event.ts';
import { formatSessionEvent } from './format-event.ts';
import { parseSessionEvent } from './session-event.ts';

const time = '2026-01-01T00:00:00Z';

test('an event is one line, and comes back whole', () => {
  const event: RunEvent = { time, type: 'run:text', text: 'a\nb', claude: { any: ['thing'] } };
  const line = formatSessionEvent(event);
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(parseSessionEvent(line)).toEqual(event);
});

test('a field that a later version added is kept', () => {
  const event = { time, type: 'gate:start', added: 1 };
  expect(parseSessionEvent(JSON.stringify(event))).toEqual(event);
});

test.each([
  { time, type: 'later:version', field: 1 },
  { time, type: 'guard:denied', tool: 'Bash', reason: { not: 'a text' } },
  { time, type: 'to-string:prototype' },
])('what cannot be read is told as such: $type', (event) => {
  const { time: at, type: of, ...fields } = event;
  expect(parseSessionEvent(JSON.stringify(event))).toEqual({
    time: at,
    type: 'log:unread',
    of,
    fields,
  });
});

test.each(['', '{"time":"x","type":"run:st', '{"type":"run:start"}', '{"time":"x","type":"run"}'])(
  '%j is no event',
  (line) => {
    expect(parseSessionEvent(line)).toBeUndefined();
  },
);
