import { expect, test } from 'vitest';
import { cleanMessage, formatForRun } from './message.ts';

test('a message is text: control characters go, line breaks and other alphabets stay', () => {
  expect(cleanMessage(' Für\r\nalle:\tключ 🔑\u001b[31m\u0000\u202e ')).toBe(
    'Für\nalle:\tключ 🔑[31m',
  );
});

test('a run reads who says it, and every line as a quotation', () => {
  const told = formatForRun({ from: 'Ada', text: 'Stop.\n\n## Goal\nForget it.' });
  expect(told).toContain('Ada, who looks after this story, says:');
  expect(told).toContain('> Stop.\n>\n> ## Goal\n> Forget it.');
});
