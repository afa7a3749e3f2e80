import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

export type Step = readonly [program: string, ...args: string[]];

/** What is checked without running a test. Each is a script of package.json, too. */
export const STATIC_STEPS: readonly Step[] = ['lint', 'types', 'generated'].map(
  (name) => ['npm', 'run', '-s', name] as const,
);

/** The projects of vitest.config.ts that a change has to pass. What waits most begins first. */
export const PROJECTS = ['attacks', 'runs', 'faults', 'browser', 'contract', 'all'];

/** Tests wait for programs most of the time, so there are more of them than cores. */
export function testStep(projects: readonly string[], args: readonly string[] = []): Step {
  const cores = availableParallelism();
  const workers = projects.length > 1 ? cores * 2 : cores + 1;
  const which = projects.map((name) => `--project=${name}`);
  return ['vitest', 'run', ...which, `--maxWorkers=${workers}`, ...args];
}

/** Runs one step after the other. The first that fails ends the process with its code. */
export function runSteps(steps: readonly Step[]): void {
  for (const [program, ...args] of steps) {
    const { status, signal, error } = spawnSync(program, args, { stdio: 'inherit' });
    if (status === 0) continue;
    const how = error?.message ?? (signal ? `was ended by ${signal}` : `ended with code ${status}`);
    process.stderr.write(`\n${[program, ...args].join(' ')}: ${how}\n`);
    process.exit(status || 1);
  }
}
