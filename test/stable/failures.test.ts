import { expect, test } from 'vitest';
import { countFailures, readReport } from './failures.ts';
import { readOptions } from './options.ts';

const ROOT = '/project/';
const report = (...tests: [name: string, status: string][]) =>
  JSON.stringify({
    numTotalTests: tests.length,
    testResults: [
      {
        name: '/project/a.test.ts',
        status: tests.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
        assertionResults: tests.map(([fullName, status]) => ({
          fullName,
          status,
          failureMessages: status === 'failed' ? [`${fullName} is red\nat line 1`] : [],
        })),
      },
    ],
  });

test('what failed is counted over all runs, the most frequent first', () => {
  const runs = [
    report(['x', 'failed'], ['y', 'passed'], ['z', 'failed']),
    report(['x', 'passed'], ['y', 'passed'], ['z', 'failed']),
    report(['x', 'passed'], ['y', 'passed'], ['z', 'passed']),
  ].map((json, i) => readReport(json, i === 2 ? 0 : 1, '', ROOT));
  expect(runs.map(({ failures, tests }) => [tests, failures.length])).toEqual([
    [3, 2],
    [3, 1],
    [3, 0],
  ]);
  expect(countFailures(runs)).toEqual([
    { name: 'a.test.ts > z', message: 'z is red\nat line 1', count: 2 },
    { name: 'a.test.ts > x', message: 'x is red\nat line 1', count: 1 },
  ]);
});

test('a file that cannot be run, a run without a report, and an error outside of tests are failures', () => {
  const file = { name: '/project/b.test.ts', status: 'failed', message: 'No such module' };
  const broken = { numTotalTests: 0, testResults: [{ ...file, assertionResults: [] }] };
  expect(readReport(JSON.stringify(broken), 1, '', ROOT).failures).toEqual([
    { name: 'b.test.ts', message: 'No such module' },
  ]);
  expect(readReport(undefined, 137, 'a\nKilled\n', ROOT).failures).toEqual([
    { name: 'the run itself (exit code 137)', message: 'Killed' },
  ]);
  expect(readReport(report(['x', 'passed']), 1, 'Unhandled\n', ROOT).failures).toEqual([
    { name: 'outside of any test (exit code 1)', message: 'Unhandled' },
  ]);
});

test('how often, beside how many loops, and which files', () => {
  expect(readOptions(['5'])).toEqual({
    runs: 5,
    loaded: 0,
    projects: ['all', 'browser'],
    filters: [],
  });
  const some = ['--loaded', '2', '--project', 'all', '--project=runs', '20', 'test/e2e/a.test.ts'];
  expect(readOptions(some)).toEqual({
    runs: 20,
    loaded: 2,
    projects: ['all', 'runs'],
    filters: ['test/e2e/a.test.ts'],
  });
  for (const wrong of [[], ['0'], ['x'], ['3', '--loaded'], ['3', '--retry']]) {
    expect(() => readOptions(wrong)).toThrow('npm run test:stable -- <runs>');
  }
});
