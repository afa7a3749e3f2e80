import { expect, test } from 'vitest';
import { warnOfChanges } from './warn-of-changes.ts';

const scripts = (it: object) => JSON.stringify({ name: 'shop', scripts: it });

test.each<[string, string[], string[]]>([
  ['sh ./scripts/check.sh --all', ['scripts/check.sh', 'src/a.js'], ['scripts/check.sh']],
  ['make test && npm test', ['Makefile', 'docs/Makefile'], ['Makefile']],
  ['npm test', ['src/test.js'], []],
])('%s with %j changed', (command, changed, named) => {
  expect(warnOfChanges({ command, changed, manifests: [] })).toEqual(
    named.map((path) => `the story changed ${path}, which the verify command uses`),
  );
});

test.each<[string, string | undefined, string | undefined, string[]]>([
  [
    'a test that says yes',
    scripts({ test: 'vitest', lint: 'x' }),
    scripts({ test: 'true', lint: 'x' }),
    ['test'],
  ],
  [
    'more and fewer',
    scripts({ test: 'vitest' }),
    scripts({ pretest: 'true' }),
    ['pretest', 'test'],
  ],
  [
    'another field',
    scripts({ test: 'vitest' }),
    JSON.stringify({ name: 'toys', scripts: { test: 'vitest' } }),
    [],
  ],
  ['a new file', undefined, scripts({ test: 'vitest' }), []],
  ['not JSON', scripts({ test: 'vitest' }), '{', ['test']],
])('scripts: %s', (_, before, after, names) => {
  const manifests = [{ path: 'package.json', before, after }];
  expect(warnOfChanges({ command: 'npm test', changed: ['package.json'], manifests })).toEqual(
    names.length === 0 ? [] : [`the story changed scripts in package.json: ${names.join(', ')}`],
  );
});
