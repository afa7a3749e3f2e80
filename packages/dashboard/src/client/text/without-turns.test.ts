import { expect, test } from 'vitest';
import { withoutTurns } from './without-turns.ts';

test.each([
  ['\u202e', 'an override'],
  ['\u2066', 'an isolate'],
  ['\u202a\u202c', 'an embedding with its end'],
])('%j, %s, is taken out of a text', (turn) => {
  const value = { title: `safe${turn}txt.exe` };
  expect(JSON.parse(withoutTurns(JSON.stringify(value)))).toEqual({ title: 'safetxt.exe' });
  const escaped = JSON.stringify(value).replace(
    /[\u202a-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16)}`,
  );
  expect(JSON.parse(withoutTurns(escaped))).toEqual({ title: 'safetxt.exe' });
});

test('a backslash before a u is no escape, and other signs stay', () => {
  const value = { text: 'C:\\u202e \\\\u2066 شكرا ‏é' };
  expect(JSON.parse(withoutTurns(JSON.stringify(value)))).toEqual(value);
});
