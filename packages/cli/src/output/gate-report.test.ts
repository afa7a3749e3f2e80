import { expect, test } from 'vitest';
import { formatAdvice, formatChecks, formatVerdict, formatVerifyEnd } from './gate-report.ts';

const paint = (_: string, text: string) => text;
const out = { width: 40, paint };
const verify = (outputEnd: string, exitCode = 1) =>
  formatVerifyEnd({ verify: { outputEnd, exitCode } as never }, out);

test('checks stand below each other; a skipped one does not look passed', () => {
  const lines = formatChecks(
    [
      { name: 'tasks', outcome: 'passed', detail: '2 of 2 completed' },
      { name: 'verify', outcome: 'failed', detail: 'npm test ended with code 1 and said so' },
      { name: 'push', outcome: 'skipped', detail: '' },
    ],
    out,
  );
  expect(lines).toEqual([
    '✓ tasks   2 of 2 completed',
    '✗ verify  npm test ended with code 1 and',
    '          said so',
    '– push',
  ]);
});

test('of a verify that failed the last lines are shown, and whether there were more', () => {
  expect(verify('one\n\ttwo\n')).toEqual(['', 'Verify printed:', '  │ one', '  │   two', '']);
  const many = verify(Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n'));
  expect([many[1], many[2], many.at(-2)]).toEqual([
    'The last 20 lines of verify:',
    '  │ line 10',
    '  │ line 29',
  ]);
  expect(verify(`${'x'.repeat(100)}\u001b[2J`)[2]).toHaveLength(40);
  expect([verify('fine', 0), verify(' \n')]).toEqual([[], []]);
  expect(formatVerifyEnd({}, out)).toEqual([]);
});

test('advice that is too long goes on where the next command begins', () => {
  expect(formatAdvice([{ hint: 'saga run x' }], 40)).toEqual(['  → saga run x']);
  const advice = { aim: 'to mend it', steps: ['merge main', 'saga gate the-story'] } as const;
  expect(formatAdvice([advice], 60)).toEqual([
    '  → to mend it: merge main, then saga gate the-story',
  ]);
  expect(formatAdvice([advice], 40)).toEqual([
    '  → to mend it: merge main,',
    '    then saga gate the-story',
  ]);
});

test('the verdict has the colour of its outcome', () => {
  const seen: string[] = [];
  const look = {
    width: 80,
    paint(tone: string, text: string) {
      seen.push(tone);
      return text;
    },
  };
  expect(formatVerdict('x', true, 'passed', look)).toBe('x: passed');
  formatVerdict('x', false, 'did not pass', look);
  expect(seen).toEqual(['done', 'needs-you']);
});
