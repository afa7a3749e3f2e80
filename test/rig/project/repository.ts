import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs git in a folder and returns what it printed. */
export type Git = (cwd: string, ...args: string[]) => string;

export function openGit(env: Record<string, string>): Git {
  return (cwd, ...args) => execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

/** A home folder with the identity that git asks for, and with nothing of the person who runs the tests. */
export function createHome(path: string): void {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, '.gitconfig'), '[user]\n\tname = W\n\temail = w@example.org\n');
}

export function initRepository(git: Git, root: string, branch = 'main'): void {
  mkdirSync(root, { recursive: true });
  git(root, 'init', '-q', '-b', branch);
}

export function commitAll(git: Git, root: string, message: string): void {
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', message);
}

export interface OriginOptions {
  /** The bare repository to create. */
  origin: string;
  branch: string;
  /** The name of the remote. */
  remote: string;
}

/** Creates a bare repository and pushes the branch there. The result is the same as after a clone. */
export function addOrigin(git: Git, root: string, options: OriginOptions): void {
  const { origin, branch, remote } = options;
  git(root, 'init', '-q', '--bare', '-b', branch, origin);
  git(root, 'remote', 'add', remote, origin);
  git(root, 'push', '-q', '-u', remote, `HEAD:refs/heads/${branch}`);
  git(root, 'remote', 'set-head', remote, branch);
}
