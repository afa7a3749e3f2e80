import type { Environment } from '../../processes/run.ts';
import { type Git, withSettings } from '../git.ts';
import { LFS_CONFIG, type PinnedRemote } from '../pins.ts';

/** Where the base of a branch is. */
interface Origin {
  commit: string;
  remote?: string | undefined;
  pinned?: PinnedRemote | undefined;
}

/**
 * Returns an environment in which git's own programs send large files, and the person's password for them, only where
 * git's settings or the `.lfsconfig` of the base say now. That of a branch may be the work of a run. Every git that
 * SAGA starts on a branch outside the walls needs this: a push uploads large files, and a checkout downloads them.
 */
export async function pinLfs(
  git: Git,
  { commit, remote, pinned }: Origin,
  env: Environment,
): Promise<Environment> {
  if (remote === undefined) return env;
  const [ofBase, own] = await Promise.all([
    readSettings(git, ['--blob', `${commit}:${LFS_CONFIG}`, '--no-includes']),
    readSettings(git, []),
  ]);
  const ask = async (...options: string[]) =>
    (await git.attempt(['remote', 'get-url', ...options, remote])).stdout.trim();
  const urls = {
    down: pinned?.fetchUrl ?? (await ask()),
    // Git LFS uses the last address, if there are several.
    up: pinned?.pushUrls.at(-1) ?? (await ask('--push')),
  };
  const { down, up } = findEndpoints(own, ofBase, remote, urls);
  return withSettings(env, [
    ['lfs.url', down],
    ['lfs.pushurl', up],
  ]);
}

type Settings = ReadonlyMap<string, string>;

/** Where Git LFS would look, by the same rules: git's settings win over `.lfsconfig`, and the address of the remote is last. */
export function findEndpoints(
  own: Settings,
  ofBase: Settings,
  remote: string,
  urls: { down: string; up: string },
): { down: string; up: string } {
  const get = (key: string) => own.get(key) ?? ofBase.get(key);
  const url = get('lfs.url');
  const ofRemote = get(`remote.${remote}.lfsurl`);
  return {
    down: url ?? ofRemote ?? endpointOf(urls.down),
    up:
      get('lfs.pushurl') ??
      url ??
      own.get(`remote.${remote}.lfspushurl`) ??
      ofRemote ??
      endpointOf(urls.up),
  };
}

/** The endpoint that belongs to the address of a remote. With ssh the server is asked for it. */
function endpointOf(url: string): string {
  if (!/^(https?|git):\/\//.test(url)) return url;
  const path = url.replace(/^git:/, 'https:').replace(/\/$/, '');
  return `${path}${path.endsWith('.git') ? '' : '.git'}/info/lfs`;
}

/** Reads settings by their keys. The last value of a key counts. There may be no such file. */
async function readSettings(git: Git, from: readonly string[]): Promise<Settings> {
  const pattern = '^(lfs\\.(push)?url|remote\\..*\\.lfs(push)?url)$';
  const { stdout } = await git.attempt(['config', ...from, '-z', '--get-regexp', pattern]);
  const fields = stdout.split('\0').filter(Boolean);
  return new Map(
    fields.map((field) => {
      const end = field.indexOf('\n');
      return end === -1 ? [field, ''] : [field.slice(0, end), field.slice(end + 1)];
    }),
  );
}
