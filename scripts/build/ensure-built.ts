import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { COMMAND, digestSources, isFresh, PAGES, type Target } from './target.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Builds what is started as a program, if a source changed since. Throws one line if it cannot be built. */
export function ensureBuilt(options: readonly string[] = []): void {
  if (isBuilt(PAGES, []) && isBuilt(COMMAND, options)) return;
  if (!process.features.typescript) {
    throw new Error(`The build needs Node 22.18 or later; this is ${process.version}.`);
  }
  process.stderr.write('set-up: building the command …\n');
  const { NODE_ENV: _, ...env } = process.env;
  const { status, stderr, error } = spawnSync(process.execPath, ['scripts/build.ts', ...options], {
    ...{ cwd: ROOT, env, encoding: 'utf8' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status === 0) return;
  const why = stderr.trim().split('\n').at(-1);
  throw new Error(why || `The build failed: ${error?.message ?? status}. See it: npm run build`);
}

function isBuilt(target: Target, options: readonly string[]): boolean {
  return isFresh(ROOT, target, digestSources(ROOT, target, options));
}
