import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from '../packages/core/src/processes/lock.ts';
import { buildCommand } from './build/command.ts';
import { buildPages } from './build/pages.ts';
import {
  COMMAND,
  digestSources,
  isFresh,
  PAGES,
  replaceFolder,
  type Target,
} from './build/target.ts';

/**
 * `npm run build`: the pages and the command, each if its sources changed since it was built. Two
 * builds at the same time build once.
 */
const WAIT_MS = 600_000;
const root = join(import.meta.dirname, '..');
const options = process.argv.slice(2);

process.chdir(root);
try {
  const build = async () => {
    await renew(PAGES, [], async (outdir) => buildPages(outdir));
    await renew(COMMAND, options, (outdir) => buildCommand(outdir, options));
  };
  await withLock('packages/cli/.dist-lock', build, { waitMs: WAIT_MS });
} catch (error) {
  const why = (error instanceof Error ? error.message : String(error)).split('\n').at(-1);
  process.stderr.write(`The build failed: ${why}\n`);
  process.exitCode = 1;
}

/** Builds beside the place, then replaces what is there. A source that changes meanwhile is built again. */
async function renew(
  target: Target,
  options: readonly string[],
  build: (outdir: string) => Promise<void>,
): Promise<void> {
  for (;;) {
    const sources = digestSources(root, target, options);
    if (isFresh(root, target, sources)) return;
    const outdir = join(dirname(target.folder), `.dist-${process.pid}`);
    try {
      await build(outdir);
      replaceFolder(root, target, outdir, sources);
    } finally {
      rmSync(outdir, { recursive: true, force: true });
    }
  }
}
