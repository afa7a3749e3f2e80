/**
 * Builds, from the address of the remote, the address of the page on which a person opens a pull request of a branch.
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

/** Returns the host of a remote that is certainly not GitHub, or undefined. */
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
