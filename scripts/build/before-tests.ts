import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PREPARED } from '../../test/rig/programs/run-program.ts';
import { ensureBuilt } from './ensure-built.ts';

/** Before any test runs, however vitest is started: tests start the built command, and it has to be the one of this tree. */
export default function setup(project: { onTestsRerun(act: () => void): void }): () => void {
  build();
  project.onTestsRerun(build);
  const prepared = mkdtempSync(join(tmpdir(), 'saga-prepared-'));
  process.env[PREPARED] = prepared;
  return () => rmSync(prepared, { recursive: true, force: true });
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
