import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../errors.ts';
import type { AgentHome, ReadAccount } from '../../agent.ts';
import { pickAccount } from './account-settings.ts';

/**
 * The account of the person whose home it is, for runs in a folder. Settings that are missing say
 * nothing; those that cannot be read are named, and the run goes on without them.
 */
export function readAccount({ config }: AgentHome, folder: string): ReadAccount {
  const path = join(config, 'settings.json');
  const person = readSettings(path);
  // The client itself reads the project's, and says what is wrong with them.
  const project = readSettings(join(folder, '.claude', 'settings.json'));
  return {
    ...pickAccount(person.value, project.value),
    ...(person.reason === undefined ? {} : { unread: { path, reason: person.reason } }),
  };
}

function readSettings(path: string): { value?: unknown; reason?: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? {} : { reason: messageOf(error) };
  }
  try {
    return text.trim() === '' ? {} : { value: JSON.parse(text) };
  } catch {
    // The parser's own words may quote a key.
    return { reason: 'it is not valid JSON' };
  }
}
