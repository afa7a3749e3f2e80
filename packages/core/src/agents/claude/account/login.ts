import { isAtLeast } from '@saga-ai/types/words/versions';
import { type Environment, runProgram } from '../../../processes/run.ts';
import type { AgentAccount } from '../../agent.ts';
import { knownSettings } from './account-settings.ts';

export interface LoginStatus {
  loggedIn?: boolean;
  authMethod?: string;
}

/** Older clients take the command for a prompt, send it, and somebody pays. */
export function knowsLogin(version: string): boolean {
  return isAtLeast(version, '2.1.100');
}

export interface LoginQuestion {
  path: string;
  version: string;
  folder: string;
  /** As a run would have it. */
  env: Environment;
  account: AgentAccount;
}

/** Whether a run would be logged in, as the client says itself; undefined if it does not say it. */
export async function askLogin(question: LoginQuestion): Promise<LoginStatus | undefined> {
  const { path, version, folder, env, account } = question;
  const settings = JSON.stringify(knownSettings(account, version));
  const args = ['--setting-sources', 'project', '--settings', settings, 'auth', 'status'];
  const asked = await runProgram(path, args, { cwd: folder, env, timeoutMs: 15_000 });
  try {
    return JSON.parse(asked.stdout) as LoginStatus;
  } catch {
    // Not a status: this client has no such command, or says something else.
    return undefined;
  }
}
