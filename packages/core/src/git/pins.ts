import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '../processes/run.ts';
import { type Git, withSettings } from './git.ts';

/**
 * A remote as it was when the worker began. A run can change git's settings, so the worker fetches from
 * and pushes to these addresses only.
 */
export interface PinnedRemote {
  fetchUrl: string;
  /** A remote may have several addresses to push to. */
  pushUrls: readonly string[];
}

/** Asks git where a remote is, with `insteadOf` and `pushInsteadOf` applied. */
export async function pinRemote(git: Git, remote: string): Promise<PinnedRemote> {
  const ask = async (...options: string[]) =>
    (await git.run(['remote', 'get-url', '--all', ...options, remote])).split('\n').filter(Boolean);
  const [[fetchUrl = remote], pushUrls] = await Promise.all([ask(), ask('--push')]);
  const urls = [fetchUrl, ...(pushUrls.length > 0 ? pushUrls : [fetchUrl])];
  const [first = remote, ...others] = urls.some(isRelativePath)
    ? await resolveFromMain(git, urls)
    : urls;
  return { fetchUrl: first, pushUrls: others };
}

/**
 * Whether git would read the address as a relative path. In an address such as `host:path`, the colon comes before the
 * first slash.
 */
function isRelativePath(url: string): boolean {
  return !url.startsWith('/') && !/^[^/]*:/.test(url);
}

/**
 * git reads a relative path from the folder it runs in, so in a story's worktree `../shop.git` would be
 * another place than in the main checkout, where the person wrote it.
 */
async function resolveFromMain(git: Git, urls: readonly string[]): Promise<string[]> {
  const listed = await git.run(['worktree', 'list', '--porcelain', '-z']);
  const main = /^worktree ([^\0]+)/.exec(listed)?.[1] ?? git.folder;
  return urls.map((url) => (isRelativePath(url) ? resolve(main, url) : url));
}

/**
 * Returns an environment in which git uses the person's own settings as they are now. The files with
 * these settings lie in the person's home folder, where a run may be able to write.
 */
export async function pinSettings(git: Git, env: Environment): Promise<Environment> {
  const listed = await git.run(['config', '--list', '-z', '--show-scope']);
  const fields = listed.split('\0');
  const settings: [string, string][] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, field = ''] = [fields[at], fields[at + 1]];
    const end = field.indexOf('\n');
    const key = end === -1 ? field : field.slice(0, end);
    // What an included file says is in the list, too.
    if (scope !== 'global' || /^include(if)?\./i.test(key)) continue;
    settings.push([key, end === -1 ? 'true' : field.slice(end + 1)]);
  }
  // The settings that the environment itself adds must stay the last, so that they win.
  const { GIT_CONFIG_COUNT, ...rest } = env;
  const given = Array.from({ length: Number(GIT_CONFIG_COUNT ?? 0) }, (_, i): [string, string] => [
    env[`GIT_CONFIG_KEY_${i}`] ?? '',
    env[`GIT_CONFIG_VALUE_${i}`] ?? '',
  ]);
  return withSettings({ ...rest, GIT_CONFIG_GLOBAL: '/dev/null' }, [...settings, ...given]);
}

/** Tells Git LFS where its server is. A repository brings it, and Git LFS reads it in every checkout. */
export const LFS_CONFIG = '.lfsconfig';

/** The hook that git runs before a push, and the hash of its text. Git LFS uploads its files there. */
export interface PinnedHook {
  path: string;
  sha256: string;
  /** True if the hook calls only Git LFS. Other hooks may call programs that a branch contains. */
  isLfs: boolean;
}

/** Finds the hook that git would run before a push. */
export async function pinPushHook(git: Git): Promise<PinnedHook | undefined> {
  const folder = await git.attempt(['rev-parse', '--git-path', 'hooks']);
  if (folder.code !== 0) return undefined;
  const path = join(resolve(git.folder, folder.stdout.replace(/\n$/, '')), 'pre-push');
  const isProgram =
    existsSync(path) && statSync(path).isFile() && (statSync(path).mode & 0o111) > 0;
  if (!isProgram) return undefined;
  const content = readFileSync(path);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { path, sha256, isLfs: callsOnlyLfs(content.toString()) };
}

/** Whether the text is the hook that `git lfs install` writes. */
function callsOnlyLfs(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.length > 0 && lines.every((line) => LFS_LINES.some((it) => it.test(line)));
}

const LFS_LINES = [
  /^git lfs pre-push "\$@"$/,
  /^command -v git-lfs >\/dev\/null 2>&1 \|\| \{ (?:echo|printf) >&2(?: "[^"$`]*")+; exit 2; \}$/,
];

/** Whether git would still run the same hook. */
export async function isSameHook(git: Git, pinned: PinnedHook): Promise<boolean> {
  const now = await pinPushHook(git);
  return now?.path === pinned.path && now.sha256 === pinned.sha256;
}
