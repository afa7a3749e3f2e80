import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import type { Git } from '../../git/git.ts';
import { findOnPath } from '../../processes/find-program.ts';
import type { Environment } from '../../processes/run.ts';
import { parseTree, pickSetupInputs } from './setup-inputs.ts';

export interface SetupPlace {
  command: string;
  /** The path of the checkout, which some programs write into what they install. */
  folder: string;
  env: Environment;
}

/**
 * Names what a setup command makes of a commit. The name is the same as long as the lock files, the
 * command, the machine and its programs are the same.
 */
export async function findSetupKey(
  git: Git,
  commit: string,
  { command, folder, env }: SetupPlace,
): Promise<string> {
  const files = parseTree(await git.paths(['ls-tree', '-r', '-z', '--full-tree', commit]));
  const inputs = pickSetupInputs(files, command).map(({ path, hash }) => `${hash} ${path}`);
  const programs = PROGRAMS.map((name) => stampProgram(name, env));
  const parts = [command, folder, process.platform, process.arch, programs, inputs];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Programs whose version decides what is installed. */
const PROGRAMS = ['node', 'npm', 'pnpm', 'yarn', 'bun', 'python3', 'go', 'cargo', 'ruby', 'java'];

function stampProgram(name: string, env: Environment): string {
  const path = findOnPath(name, env);
  if (path === undefined) return '';
  const real = realpathSync(path);
  const { size, mtimeMs } = statSync(real);
  return `${real} ${size} ${mtimeMs}`;
}
