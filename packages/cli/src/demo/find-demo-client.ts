import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { agent } from '@saga-ai/core/agents/chosen';
import { SagaError } from '@saga-ai/core/errors';
import { describeFailure } from '@saga-ai/core/processes/describe-failure';
import { type Environment, runProgram } from '@saga-ai/core/processes/run';

const PACKAGE = '@anthropic-ai/claude-code';
const FETCH_MS = 5 * 60_000;

/**
 * Returns the Claude Code of this machine. If there is none, the version that was tested last is installed
 * into the demo's folder. Returns undefined if the demo was stopped in the meantime.
 */
export async function findDemoClient(
  folder: string,
  env: Environment,
  say: (text: string) => void,
  stop: AbortSignal,
): Promise<string | undefined> {
  try {
    return agent.find(env.SAGA_WORKER_CLAUDE_PATH || null, folder, env);
  } catch (error) {
    if (!(error instanceof SagaError) || env.SAGA_WORKER_CLAUDE_PATH) throw error;
  }
  const wanted = `${PACKAGE}@${agent.versions.tested.at(-1)}`;
  say(`Claude Code is not on PATH: installing ${wanted} into the demo's folder`);
  const prefix = join(folder, 'client');
  mkdirSync(prefix);
  const args = [
    'install',
    '--prefix',
    prefix,
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    wanted,
  ];
  const result = await runProgram('npm', args, { cwd: folder, env, timeoutMs: FETCH_MS, stop });
  if (stop.aborted) return undefined;
  if (result.code === 0) return findFetched(join(prefix, 'node_modules'));
  throw new SagaError(
    'missing-program',
    `Claude Code is not on PATH, and installing it failed: ${describeFailure(result)}.`,
    `Install it, then try again: npm install -g ${PACKAGE}`,
  );
}

/** The program itself. The link in .bin works only after an install script, which npm may be told not to run. */
function findFetched(modules: string): string {
  const native = join(modules, `${PACKAGE}-${process.platform}-${process.arch}`, 'claude');
  return existsSync(native) ? native : join(modules, '.bin/claude');
}
