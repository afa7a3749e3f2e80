import { expect, test } from 'vitest';
import { readKeys } from './read-keys.ts';

const describe = (input: string) =>
  readKeys(input).map((key) => (key.name === 'text' ? `"${key.text}"` : key.name));

test.each<[string, string[]]>([
  ['\u001b[A\u001b[B\u001bOA', ['up', 'down', 'up']],
  ['\u001b', ['escape']],
  ['\r', ['enter']],
  ['\u007f\u0003\u001a\u000c', ['backspace', 'interrupt', 'suspend', 'redraw']],
  ['\u001b[5~\u001b[6~\u001b[H\u001b[F', ['page-up', 'page-down', 'first', 'last']],
  ['jä😀', ['"j"', '"ä"', '"😀"']],
  // A key with Shift, a function key, a report of the terminal, and a control key.
  ['\u001b[1;2A\u001b[15~\u001b[?1;2c\u0001', []],
  ['\u001b[200~two\nlines\u001b[201~\r', ['"two lines"', 'enter']],
  ['\u001b[200~cut', ['"cut"']],
  ['', []],
])('%j', (input, keys) => {
  expect(describe(input)).toEqual(keys);
});
