/**
 * The page on which a person compares a branch with its base and opens a pull request, by the address of the remote.
 * Returns undefined for a remote whose pages SAGA does not know.
 */
export function buildCompareUrl(remote: string, base: string, branch: string): string | undefined {
  const { host, path } = parseRemote(remote);
  if (host === undefined || path === undefined) return undefined;
  const repository = `https://${host}/${path.split('/').map(encodeURIComponent).join('/')}`;
  const name = (text: string) => text.split('/').map(encodeURIComponent).join('/');
  if (/github/i.test(host)) return `${repository}/compare/${name(base)}...${name(branch)}`;
  if (/gitlab/i.test(host)) return `${repository}/-/compare/${name(base)}...${name(branch)}`;
  if (/codeberg|gitea|forgejo/i.test(host)) {
    return `${repository}/compare/${name(base)}...${name(branch)}`;
  }
  if (/bitbucket\.org$/i.test(host)) {
    return `${repository}/branches/compare/${encodeURIComponent(branch)}%0D${encodeURIComponent(base)}`;
  }
  return undefined;
}

/** The host of a remote that is surely no GitHub. */
export function findOtherHost(remote: string): string | undefined {
  const { host = '' } = parseRemote(remote);
  return /gitlab|codeberg|gitea|forgejo|bitbucket/i.test(host) ? host : undefined;
}

function parseRemote(remote: string): { host?: string; path?: string } {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^@/]+@)?([\w.-]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/.exec(remote) ??
    /^(?:[\w.-]+@)?([\w.-]+\.[a-z]+):(?!\/\/)(.+?)(?:\.git)?\/?$/.exec(remote) ??
    [];
  return host === undefined || path === undefined ? {} : { host, path };
}
