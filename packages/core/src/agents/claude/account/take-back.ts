import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnyObject } from '@saga-ai/types/any-object';
import { writeFileAtomic } from '../../../files/atomic-write.ts';

const LOGIN = '.credentials.json';
/** The client renews a login a few minutes before its end. */
const RENEWED_BEFORE_MS = 15 * 60_000;

/**
 * Replaces the person's login by the one that the client renewed in its private folder: the old one no longer works.
 * Takes only a login that lasts longer, and nothing else of the file. If the person's login is valid for longer than 15
 * minutes, the client had no reason to renew it, so the run itself wrote the other login, and it is ignored.
 */
export function takeBackLogin(config: string, privateFolder: string, now = Date.now()): void {
  const renewed = readLogin(join(privateFolder, LOGIN));
  const known = readLogin(join(config, LOGIN));
  if (!renewed || !known || renewed.expiresAt <= known.expiresAt) return;
  if (known.expiresAt > now + RENEWED_BEFORE_MS) return;
  const text = JSON.stringify({ ...known.whole, claudeAiOauth: renewed.login });
  writeFileAtomic(join(config, LOGIN), text);
}

/**
 * Copies the files of conversations that the person's folder does not have, or has only the beginning of, so that
 * a conversation can go on.
 */
export function takeBackConversations(from: string, to: string): void {
  // A run may have put a link or a pipe in its place.
  if (!lstatSync(from, { throwIfNoEntry: false })?.isDirectory()) return;
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [made, known] = [join(from, entry.name), join(to, entry.name)];
    if (!entry.isFile()) continue;
    if (!existsSync(known)) copyFileSync(made, known);
    else if (hasGrown(known, made)) writeFileAtomic(known, readFileSync(made, 'utf8'));
  }
}

/** Whether the other file begins with the whole known file and has more at its end. */
function hasGrown(known: string, other: string): boolean {
  if (!lstatSync(known).isFile()) return false;
  const [before, after] = [readFileSync(known), readFileSync(other)];
  return after.length > before.length && after.subarray(0, before.length).equals(before);
}

function readLogin(path: string) {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  try {
    const whole = AnyObject.parse(JSON.parse(readFileSync(path, 'utf8')));
    const login = AnyObject.parse(whole.claudeAiOauth);
    const { accessToken, refreshToken, expiresAt } = login;
    const isWhole = typeof accessToken === 'string' && typeof refreshToken === 'string';
    return isWhole && typeof expiresAt === 'number' ? { whole, login, expiresAt } : undefined;
  } catch {
    // The file contains no login. A run may have written anything.
    return undefined;
  }
}
