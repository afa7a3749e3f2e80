import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOrStop } from './run-or-stop.ts';

const CLI = join(import.meta.dirname, '../../../packages/cli');
/** What it depends on is optional: without a network it is left out, and not waited for. */
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=0'];

export interface PublishedInstall {
  /** The installed command; what is measured, since it is what people run. */
  saga: string;
  /** On disk, with all it depends on. */
  megabytes: number;
}

/** Packs the built command as it would be published, and installs it in an empty folder. */
export function createPublishedInstall(workshop: string, env: NodeJS.ProcessEnv): PublishedInstall {
  const folder = join(workshop, 'install');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  runOrStop('npm', ['pack', '--silent', '--pack-destination', folder], CLI);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  runOrStop('npm', ['install', '--prefix', folder, ...QUIET, join(folder, tarball)], folder);
  const modules = join(folder, 'node_modules');
  checkVersion(runOrStop(join(modules, '.bin/saga'), ['--version'], folder, env).trim());
  return { saga: join(modules, '@saga-ai/cli/dist/saga.cjs'), megabytes: sumBytes(modules) / 1e6 };
}

function checkVersion(printed: string): void {
  const { version } = JSON.parse(readFileSync(join(CLI, 'package.json'), 'utf8'));
  if (printed !== version) throw new Error(`The installed saga says ${printed}, not ${version}.`);
}

function sumBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
