import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAtLeast } from '@saga-ai/types/words/versions';
import { type Environment, runProgram } from '../../../processes/run.ts';
import type { AgentAccount } from '../../agent.ts';
import { knownSettings } from './account-settings.ts';

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

export interface StatusQuestion {
  path: string;
  version: string;
  folder: string;
  /** The environment that a run would have. */
  env: Environment;
  account: AgentAccount;
}

/** Asks the client whether a run would be logged in. Returns undefined if the client does not answer that. */
export async function askLogin(question: StatusQuestion): Promise<LoginStatus | undefined> {
  const { path, version, folder, env, account } = question;
  const settings = JSON.stringify(knownSettings(account, version));
  const args = ['--setting-sources', 'project', '--settings', settings, 'auth', 'status'];
  // A client that is given settings leaves a folder in its temporary folder.
  const temp = mkdtempSync(join(tmpdir(), 'saga-login-'));
  try {
    const asked = await runProgram(path, args, {
      cwd: folder,
      env: { ...env, CLAUDE_CODE_TMPDIR: temp },
      timeoutMs: 15_000,
    });
    return JSON.parse(asked.stdout) as LoginStatus;
  } catch (error) {
    // The output is no status: this client does not know the command.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  } finally {
    rmSync(temp, { recursive: true, force: true, maxRetries: 3 });
  }
}
