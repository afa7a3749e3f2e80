import { expect, test } from 'vitest';
import { parseDiff } from './parse-diff.ts';

const HEAD = 'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n';

test('parts begin with their lines and what stands above them', () => {
  const text = `${HEAD}@@ -1 +1,2 @@\n-a\r\n+b\n+@@ -9 +9 @@\n@@ -10,2 +11,0 @@ function f()\n-c\n-d\n\\ No newline at end of file\n`;
  expect(parseDiff(text, 100)).toEqual({
    hunks: [
      { oldStart: 1, newStart: 1, heading: '', lines: ['-a', '+b', '+@@ -9 +9 @@'] },
      {
        oldStart: 10,
        newStart: 11,
        heading: 'function f()',
        lines: ['-c', '-d', '\\ No newline at end of file'],
      },
    ],
    omitted: 0,
  });
});

test('what is too much is counted and left out', () => {
  const { hunks, omitted } = parseDiff(`${HEAD}@@ -1,3 +1,3 @@\n a\n b\n c\n@@ -9 +9 @@\n d\n`, 2);
  expect(hunks).toEqual([{ oldStart: 1, newStart: 1, heading: '', lines: [' a', ' b'] }]);
  expect(omitted).toBe(2);
  const long = parseDiff(`${HEAD}@@ -1 +1 @@\n+${'x'.repeat(1_000_000)}\n`, 10);
  expect(long.hunks[0]?.lines[0]).toMatch(/^\+x{1999} … 998001 more characters$/);
});
