import { isAtLeast } from '@saga-ai/types/words/versions';
import { type Environment, runProgram } from '../../processes/run.ts';

export interface LoginStatus {
  loggedIn?: boolean;
  authMethod?: string;
}

/**
 * Whether the client has the login status command. Older clients would send the command to the model
 * as a prompt, which costs money.
 */
export function knowsLogin(version: string): boolean {
  return isAtLeast(version, '2.1.100');
}

/** Asks the client whether it is logged in. Returns undefined if the client does not answer that. */
export async function askLogin(
  path: string,
  folder: string,
  env: Environment,
): Promise<LoginStatus | undefined> {
  const asked = await runProgram(path, ['auth', 'status'], { cwd: folder, env, timeoutMs: 5000 });
  try {
    return JSON.parse(asked.stdout) as LoginStatus;
  } catch {
    // The output is no status: this client does not know the command.
    return undefined;
  }
}
