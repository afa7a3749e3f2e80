import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const DASHBOARD = 'packages/dashboard';

/** Builds the pages of the dashboard. */
export function buildPages(outdir: string): void {
  const args = ['node_modules/vite/bin/vite.js', 'build', '--logLevel=warn', '--outDir'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, resolve(outdir)], {
    cwd: DASHBOARD,
    encoding: 'utf8',
  });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  const said = stripVTControlCharacters(stderr);
  const what = /^\[.*\] .*/m.exec(said)?.[0] ?? 'see above';
  const where = /\[ (\S+) \]$/m.exec(said)?.[1];
  throw new Error(`${DASHBOARD}/${where ?? ''}: ${what}`);
}
