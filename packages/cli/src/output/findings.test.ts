import { ok, problem, warning } from '@saga-ai/types/screens/finding';
import { expect, test } from 'vitest';
import { countFindings, formatFindings, formatShortAdvice } from './findings.ts';
import { createOutput } from './output.ts';

const out = { ...createOutput(false), width: 40, paint: (_: string, text: string) => text };
const FINDINGS = [
  ok('git', '2.39.5'),
  warning('setup', 'worktree.setup installs nothing, so a new worktree lacks it', 'saga config x'),
  problem('claude', 'not found'),
];

test('each finding has its glyph and its remedy; a long one goes on below its own text', () => {
  expect(formatFindings(FINDINGS, out)).toEqual([
    '✓ git     2.39.5',
    '! setup   worktree.setup installs',
    '          nothing, so a new worktree',
    '          lacks it',
    '          → saga config x',
    '✗ claude  not found',
  ]);
  expect(countFindings(FINDINGS)).toEqual({ problems: 1, warnings: 1 });
});

test('what others wrote cannot steer the terminal, and takes no room for it', () => {
  expect(formatFindings([ok('a\u001b[8m', 'b\u0007'), ok('longer', 'c')], out)).toEqual([
    '✓ a[8m    b',
    '✓ longer  c',
  ]);
});

test('advice is one line that names three rules at most', () => {
  const advice = (...rules: string[]) =>
    rules.map((rule) => ({ rule, message: 'm', remedy: 'r' }) as never);
  expect(formatShortAdvice([], out)).toEqual([]);
  expect(formatShortAdvice(advice('a', 'a'), out)).toEqual([
    '! 2 pieces of advice (a): saga check --plan',
  ]);
  expect(formatShortAdvice(advice('a', 'b', 'c', 'd'), out)).toEqual([
    '! 4 pieces of advice (a, b, c, …): saga check --plan',
  ]);
});
