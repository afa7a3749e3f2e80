import { createHash } from 'node:crypto';
import type { RepositoryName } from './engine.ts';
import { redactUrl } from './redact-url.ts';

/**
 * Names a repository by the address of its remote. The forms of one address (https, ssh, and host:path) get the
 * same key, with and without user, password, port of the scheme, `.git` and a slash at the end.
 */
export function nameRepository(address: string): RepositoryName {
  const key = createHash('sha256').update(normalise(address)).digest('hex').slice(0, 24);
  return { key, url: redactUrl(address) };
}

const USUAL_PORTS: Readonly<Record<string, string>> = {
  https: '443',
  http: '80',
  ssh: '22',
  git: '9418',
};

/** Returns host and path of an address, in one spelling. */
export function normalise(address: string): string {
  const text = address.trim();
  const [, scheme, rest] = /^(?:git\+)?([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(text) ?? [];
  if (scheme !== undefined && rest !== undefined) {
    if (scheme.toLowerCase() === 'file')
      return `file:${trimPath(decode(rest.replace(/^localhost/, '')))}`;
    const [, host = '', port, path = ''] =
      /^(?:[^/]*@)?(\[[^\]]*\]|[^/:]*)(?::(\d+))?(\/.*)?$/.exec(rest) ?? [];
    const isUsual = port === undefined || port === USUAL_PORTS[scheme.toLowerCase()];
    return `${host.toLowerCase()}${isUsual ? '' : `:${port}`}/${trimPath(decode(path))}`;
  }
  // host:path, as scp writes it; a colon after a slash belongs to a path.
  const [, host, path] = /^(?:[^/@]*@)?(\[[^\]]*\]|[^/:]+):(?!\/\/)(.*)$/.exec(text) ?? [];
  if (host !== undefined && path !== undefined) return `${host.toLowerCase()}/${trimPath(path)}`;
  return `file:${trimPath(text)}`;
}

function trimPath(path: string): string {
  const trimmed = path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/\/+/g, '/');
  return trimmed.replace(/^\/(~)/, '$1').replace(/^\//, '');
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // The path contains a percent sign that encodes no character.
    return path;
  }
}
