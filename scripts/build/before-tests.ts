import { ensureBuilt } from './ensure-built.ts';

/** Before any test runs, however vitest is started: tests start the built command, and it has to be the one of this tree. */
export default function setup(project: { onTestsRerun(act: () => void): void }): void {
  build();
  project.onTestsRerun(build);
}

function build(): void {
  try {
    // The coverage counts lines of the sources.
    ensureBuilt(process.env.SAGA_COVERAGE === undefined ? [] : ['--source-map']);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}
