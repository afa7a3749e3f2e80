import { isAbsolute } from 'node:path';
import type { Config } from '@saga-ai/types/config';
import { expandHome, type Surroundings } from '../scope/surroundings.ts';
import { EMPTIED } from './bubblewrap-arguments.ts';

/** What is needed to tell a refusal of the walls from an ordinary failure. */
export interface WallFacts {
  /** The folder that the command may write. */
  folder: string;
  surroundings: Surroundings;
  /** The settings as they are written: a remedy quotes them. */
  settings: Pick<Config['sandbox'], 'allow' | 'hide'>;
}

export interface Refusal {
  path: string;
  /** Why the command could not use the path. */
  why: 'read-only' | 'hidden' | 'closed' | 'emptied' | 'socket';
  /** The command that opens the wall there, or what to do instead. */
  remedy: string;
}

/**
 * Looks in the last lines of a failed command for a path that the sandbox refused. An ordinary failure can look the
 * same, so the result is only a possible reason.
 */
export function findRefusal(output: string, facts: WallFacts): Refusal | undefined {
  for (const line of output.split('\n').reverse()) {
    const isReadOnly = READ_ONLY.test(line);
    if (!isReadOnly && !MISSING.test(line)) continue;
    for (const path of listPaths(line, facts.surroundings.homeFolder)) {
      const refusal = explain(path, { isReadOnly, isClosed: CLOSED.test(line) }, facts);
      if (refusal) return refusal;
    }
  }
  return undefined;
}

/** Says in one sentence what the sandbox refused, and which setting allows it. */
export function describeRefusal({ path, why, remedy }: Refusal): string {
  const what = {
    'read-only': `${path} is read-only in the sandbox`,
    hidden: `${path} is hidden in the sandbox (sandbox.hide)`,
    closed: `${path} may hold secrets and is closed in the sandbox`,
    socket: `${path} is a socket of a program outside the sandbox`,
    emptied: `${path} is not there in the sandbox, which has an empty /tmp and /run of its own`,
  }[why];
  return `The sandbox may be the reason: ${what}. If the command needs it: ${remedy}`;
}

const READ_ONLY = /EROFS|read-only file ?system/i;
const CLOSED = /EACCES|permission denied/i;
const MISSING =
  /ENOENT|EACCES|ECONNREFUSED|EPERM|no such file|permission denied|connection refused|cannot connect|could not connect|connect\(\)/i;

function explain(
  path: string,
  { isReadOnly, isClosed }: { isReadOnly: boolean; isClosed: boolean },
  facts: WallFacts,
): Refusal | undefined {
  const { folder, surroundings, settings } = facts;
  if ([folder, ...surroundings.writable].some((it) => isBelow(path, it))) return undefined;
  const hidden = settings.hide.find((it) => isBelow(path, expandHome(it, surroundings.homeFolder)));
  if (hidden !== undefined) {
    const rest = settings.hide.filter((it) => it !== hidden);
    return { path, why: 'hidden', remedy: setList('sandbox.hide', rest) };
  }
  if (isClosed && /\/\.env[^/]*$/.test(path)) {
    return { path, why: 'closed', remedy: 'name it in .worktreeinclude and use the copy here' };
  }
  const allow = (it: string) => setList('sandbox.allow', [...settings.allow, it]);
  if (isReadOnly) return { path, why: 'read-only', remedy: allow(path) };
  const isEmptied = EMPTIED.some((it) => isBelow(path, it) && path !== it);
  const isSocket = /\.sock(?:et)?\b|\/\.s\./.test(path);
  if (isEmptied || path.startsWith('/var/run/')) {
    return { path, why: 'emptied', remedy: allow(path) };
  }
  return isSocket ? { path, why: 'socket', remedy: allow(path) } : undefined;
}

const setList = (key: string, values: readonly string[]) =>
  `saga config ${key} "${values.join(',')}"`;

/** The absolute paths that a line names. */
function listPaths(line: string, homeFolder: string): string[] {
  const found = line.match(/(?<![\w.:/])(?:unix:\/\/|~)?\/[^\s'"`,;:()<>?]+/g) ?? [];
  return found
    .map((it) => it.replace(/^unix:\/\//, '').replace(/^~/, homeFolder))
    .map((it) => it.replace(/\.+$/, ''))
    .filter((it) => isAbsolute(it) && it !== '/');
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
