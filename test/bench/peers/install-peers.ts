import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOrStop } from '../project/run-or-stop.ts';

/** Pinned, so that figures of different days can be compared. Raise them now and then. */
const PACKAGES = {
  '@os-eco/seeds-cli': '0.5.13',
  '@zeeg/dex': '0.16.0',
  'backlog.md': '1.52.0',
  bun: '1.4.4',
};

/** Installs the peers once for each set of versions, and says where their modules are. */
export function ensurePeers(cache: string): string {
  const folder = join(cache, Object.values(PACKAGES).join('-'));
  const modules = join(folder, 'node_modules');
  const stamp = join(folder, 'installed');
  if (existsSync(stamp)) return modules;
  process.stderr.write('bench: installing the peers …\n');
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, dependencies: PACKAGES };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  runOrStop('npm', ['install', '--ignore-scripts', '--prefix', folder, ...quiet], folder);
  // The one script that is needed: it puts bun's program where seeds looks for it.
  runOrStop(process.execPath, ['install.js'], join(modules, 'bun'));
  writeFileSync(stamp, '');
  return modules;
}
