import { spawnSync } from 'node:child_process';

/** Runs a program of the preparation and returns what it printed; a failure ends the benchmark. */
export function runOrStop(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const result = spawnSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (result.status === 0) return result.stdout;
  const reason = result.error?.message ?? `${result.stderr}${result.stdout}`.slice(-2000);
  throw new Error(`${program} ${args.join(' ')} failed in ${cwd}:\n${reason}`);
}
