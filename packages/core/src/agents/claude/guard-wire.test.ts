import { expect, test } from 'vitest';
import { guardWire } from './guard-wire.ts';

const { allow, deny, isDenial } = guardWire;
const WORDS = '"permissionDecision":"deny"';

test.each<[string, string, boolean]>([
  ['a denial', JSON.stringify(deny('outside')), true],
  ['a denial with spaces', JSON.stringify(deny('outside'), null, 2), true],
  ['no objection', JSON.stringify(allow()), false],
  ['the words at another place', `{${WORDS}}`, false],
  ['the words in no JSON', `Unauthorized ${WORDS}`, false],
  ['nothing', 'null', false],
])('whether an answer denies a call: %s', (_, answer, expected) => {
  expect(isDenial(answer)).toBe(expected);
});
