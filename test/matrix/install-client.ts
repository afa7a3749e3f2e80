import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Kept between runs: a client is some 350 MB. */
const CACHE = '.cache/clients';

/** The folder of a version's package, installed unless it is there. */
export function installClient(version: string): string {
  const prefix = resolve(CACHE, version);
  const folder = join(prefix, 'node_modules/@anthropic-ai/claude-code');
  if (existsSync(join(prefix, 'installed'))) return folder;
  mkdirSync(prefix, { recursive: true });
  const options = ['--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...options, `@anthropic-ai/claude-code@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  mkdirSync(join(prefix, 'installed'));
  return folder;
}
