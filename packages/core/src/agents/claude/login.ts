import { isAtLeast } from '@saga-ai/types/words/versions';
import { type Environment, runProgram } from '../../processes/run.ts';

export interface LoginStatus {
  loggedIn?: boolean;
  authMethod?: string;
}

/** Older clients take the command for a prompt, send it, and somebody pays. */
export function knowsLogin(version: string): boolean {
  return isAtLeast(version, '2.1.100');
}

/** Whether the client is logged in, as it says itself; undefined if it does not say it. */
export async function askLogin(
  path: string,
  folder: string,
  env: Environment,
): Promise<LoginStatus | undefined> {
  const asked = await runProgram(path, ['auth', 'status'], { cwd: folder, env, timeoutMs: 5000 });
  try {
    return JSON.parse(asked.stdout) as LoginStatus;
  } catch {
    // Not a status: this client has no such command, or says something else.
    return undefined;
  }
}
