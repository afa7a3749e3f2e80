import { expect, test } from 'vitest';
import { describeFailure } from './describe-failure.ts';

const FAILED = {
  stdout: '',
  stderr: '',
  timedOut: false,
  wasStopped: false,
  isCut: false,
  signal: null,
  code: 1,
};

test.each([
  ['its last lines', { stderr: 'one\n  two\n\nthree\nfour\n' }, 'two · three · four'],
  ['without a full stop', { stderr: 'Reinstall it.\n' }, 'Reinstall it'],
  ['stdout, if stderr is empty', { stdout: 'Not logged in\n' }, 'Not logged in'],
  ['without what git adds', { stderr: 'fatal: no\nhint: try this\n' }, 'fatal: no'],
  ['the exit code, if nothing was said', {}, 'exit code 1'],
])('%s', (_, result, said) => {
  expect(describeFailure({ ...FAILED, ...result })).toBe(said);
});
