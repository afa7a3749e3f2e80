import { spawnSync } from 'node:child_process';
import { runSteps, STATIC_STEPS, testStep } from './run-steps.ts';

/**
 * `npm test`: lint, types, generated files and the tests of `all`. `npm test -- <path or word>` runs just the tests
 * whose path has one of the words; if there are none, those whose title has them. Options go to vitest.
 */
const args = process.argv.slice(2);
const words = args.filter((it) => !it.startsWith('-'));
const options = args.filter((it) => it.startsWith('-'));

if (words.length === 0) runSteps([...STATIC_STEPS, testStep(['all'], options)]);
else runSteps([[...testStep([]), ...findTests(), ...options]]);

function findTests(): string[] {
  const list = ['ls-files', '-co', '--exclude-standard', '*.test.ts', '*.test.tsx'];
  const paths = spawnSync('git', list, { encoding: 'utf8' }).stdout.split('\n');
  const named = words.map((word) => word.replace(/^\.\//, ''));
  if (paths.some((path) => named.some((word) => path.includes(word)))) return named;
  return ['--project=all', '-t', words.join(' ')];
}
