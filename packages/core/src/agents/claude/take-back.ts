import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnyObject } from '@saga-ai/types/any-object';
import * as z from 'zod/mini';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import type { AgentHome } from '../agent.ts';
import { longOutputsFolder } from './client-home.ts';

/**
 * Takes from the private folder of an enclosed run what belongs to the person: a login that the client
 * renewed (the old one no longer works), and the conversation, so that it can be resumed.
 */
export function takeBack({ config }: AgentHome, privateFolder: string, worktree: string): void {
  takeBackLogin(join(privateFolder, LOGIN), join(config, LOGIN));
  const conversations = longOutputsFolder(config, worktree);
  const inside = longOutputsFolder(privateFolder, worktree);
  // A run may have put a link or a pipe in its place.
  if (!lstatSync(inside, { throwIfNoEntry: false })?.isDirectory()) return;
  mkdirSync(conversations, { recursive: true });
  for (const entry of readdirSync(inside, { withFileTypes: true })) {
    const to = join(conversations, entry.name);
    if (entry.isFile() && !existsSync(to)) copyFileSync(join(inside, entry.name), to);
  }
}

const LOGIN = '.credentials.json';
const Login = z.looseObject({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresAt: z.number(),
});

/** Only a login that lasts longer than the person's replaces it, and nothing else of the file. */
function takeBackLogin(from: string, to: string): void {
  const [renewed, known] = [readLogin(from), readLogin(to)];
  if (!renewed || !known || renewed.expiresAt <= known.expiresAt) return;
  const text = JSON.stringify({ ...known.whole, claudeAiOauth: renewed.login });
  writeFileAtomic(to, text);
}

function readLogin(path: string) {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  try {
    const whole = AnyObject.parse(JSON.parse(readFileSync(path, 'utf8')));
    const login = Login.parse(whole.claudeAiOauth);
    return { whole, login, expiresAt: login.expiresAt };
  } catch {
    // Not a login, or not a whole one: a run may have written anything.
    return undefined;
  }
}
