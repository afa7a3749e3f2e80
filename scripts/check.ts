import { PROJECTS, runSteps, STATIC_STEPS, testStep } from './run-steps.ts';

/**
 * Made when they are asked for: `long` takes too long for every change, and only a quiet machine can say by `budgets` how
 * fast commands and pages are.
 */
const APART = ['long', 'budgets'];
const STATIC = STATIC_STEPS.map((step) => step.at(-1) ?? '');

/**
 * `npm run check`: all that decides whether a change may land. `npm run check -- runs attacks` makes only these parts.
 * The projects of tests run as one: those that wait for a client leave the processor to those that calculate.
 */
const parts = process.argv.slice(2);
const known = [...STATIC, ...PROJECTS, ...APART];
const unknown = parts.filter((it) => !known.includes(it));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no part ${unknown.join(', ')}. The parts are: ${known.join(' ')}\n`,
  );
  process.exit(2);
}
const isWanted = (name: string) => parts.length === 0 || parts.includes(name);
const projects = PROJECTS.filter(isWanted);
runSteps([
  ...STATIC_STEPS.filter((step) => isWanted(step.at(-1) ?? '')),
  ...(projects.length > 0 ? [testStep(projects)] : []),
  ...APART.filter((it) => parts.includes(it)).map((it) => testStep([it])),
]);
