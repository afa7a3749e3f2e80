import { execFileSync, spawnSync } from 'node:child_process';
import { createTempFolder } from '../project/temp-folder.ts';

/** A tmux server nobody else sees. Its socket lies in a folder of its own, which the product honours. */
export interface TmuxServer extends Disposable {
  environment: Record<string, string>;
  run(...args: string[]): string;
  sessions(): string[];
}

export function createTmuxServer(): TmuxServer {
  const folder = createTempFolder();
  const environment = { TMUX_TMPDIR: folder.path };
  const env = { PATH: process.env.PATH ?? '', HOME: folder.path, TERM: 'xterm', ...environment };
  const run = (...args: string[]) =>
    execFileSync('tmux', ['-f', '/dev/null', ...args], { env, encoding: 'utf8', stdio: 'pipe' });
  return {
    environment,
    run,
    sessions() {
      const listed = spawnSync('tmux', ['list-sessions', '-F', '#S'], { env, encoding: 'utf8' });
      return listed.status === 0 ? listed.stdout.trim().split('\n') : [];
    },
    [Symbol.dispose]() {
      // There may be no server: a test that started none has nothing to end.
      spawnSync('tmux', ['kill-server'], { env });
      folder[Symbol.dispose]();
    },
  };
}
