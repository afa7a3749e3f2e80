import { isAbsolute, resolve } from 'node:path';
import { SagaError } from '../../errors.ts';
import { describeFailure } from '../../processes/describe-failure.ts';
import { findOnPath, isProgram } from '../../processes/find-program.ts';
import { type Environment, runProgram } from '../../processes/run.ts';

const INSTALL =
  'Install it: npm install -g @anthropic-ai/claude-code, or say where it is: saga config worker.claudePath PATH';

/** Returns the path of the client: the configured one, else `claude` on PATH. */
export function findClaude(configured: string | null, folder: string, env: Environment): string {
  const path =
    configured === null ? findOnPath('claude', env) : resolveConfigured(configured, folder, env);
  if (path !== undefined) return path;
  throw new SagaError(
    'missing-program',
    `Claude Code (${configured ?? 'claude'}) was not found.`,
    INSTALL,
  );
}

export async function askClaudeVersion(
  path: string,
  folder: string,
  env: Environment,
): Promise<string> {
  const result = await runProgram(path, ['--version'], { cwd: folder, env, timeoutMs: 20_000 });
  const version = /^(\d+\.\d+\.\d+)/.exec(result.stdout.trim())?.[1];
  if (result.code === 0 && version !== undefined) return version;
  throw new SagaError(
    'missing-program',
    `${path} does not print its version: ${describeFailure(result)}.`,
    INSTALL,
  );
}

function resolveConfigured(path: string, folder: string, env: Environment): string | undefined {
  if (!path.includes('/') && !isAbsolute(path)) return findOnPath(path, env);
  const full = resolve(folder, path.replace(/^~(?=\/)/, env.HOME ?? '~'));
  return isProgram(full) ? full : undefined;
}
