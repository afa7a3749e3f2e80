import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutMark } from '@saga-ai/types/words/without-mark';
import { messageOf } from '../../../errors.ts';
import type { AgentHome, ReadAccount } from '../../agent.ts';
import { pickAccount } from './account-settings.ts';

/**
 * Reads the account from the person's settings, for runs in a folder. A missing file means no account
 * settings. A file that cannot be read is returned as `unread`, so that the run can go on without it.
 */
export function readAccount({ config }: AgentHome, folder: string): ReadAccount {
  // The client reports what is wrong with the project's settings.
  return readAccountFor({ config }, readSettings(join(folder, '.claude', 'settings.json')).value);
}

/** Like readAccount, with the project's settings as they are given. */
export function readAccountFor(home: AgentHome, project: unknown): ReadAccount {
  const { path, ...person } = readPersonSettings(home);
  return {
    ...pickAccount(person.value, project),
    unread: person.reason === undefined ? undefined : { path, reason: person.reason },
  };
}

/** Reads the person's own settings. A value or a reason is missing if there is no such file. */
export function readPersonSettings({ config }: AgentHome) {
  const path = join(config, 'settings.json');
  return { path, ...readSettings(path) };
}

function readSettings(path: string): { value?: unknown; reason?: string } {
  let text: string;
  try {
    text = withoutMark(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? {} : { reason: messageOf(error) };
  }
  try {
    return text.trim() === '' ? {} : { value: JSON.parse(text) };
  } catch {
    // The parser's own message may quote a secret.
    return { reason: 'it is not valid JSON' };
  }
}
