import { expect, test } from 'vitest';
import { requireSound } from './require-sound.ts';

test('what saga run can hand over is accepted', () => {
  requireSound({ id: 'cart-api', flags: { 'worker.model': 'opus', 'budget.usd': '5' } });
});

test.each([
  ['a program', { id: 'cart', flags: { 'worker.claudePath': '/tmp/evil' } }, 'worker.claudePath'],
  ['more rights', { id: 'cart', flags: { 'worker.permissions': 'bypass' } }, 'worker.permissions'],
  ['a command', { id: 'cart', flags: { 'gate.verify': 'rm -rf ~' } }, 'gate.verify'],
  ['a path', { id: '../../etc', flags: {} }, '../../etc'],
])('%s is refused', (_, job, named) => {
  expect(() => requireSound(job)).toThrow(named);
});
