import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createTempFolder } from '../project/temp-folder.ts';

/**
 * A folder of tmux sockets for one test, which SAGA respects. It contains the sockets of the person's own server
 * ("default") and of SAGA's server.
 */
export interface TmuxServer extends Disposable {
  environment: Record<string, string>;
  /** On the person's own server. */
  run(...args: string[]): string;
  /** On the server of SAGA. */
  runInSaga(...args: string[]): string;
  /** The names of all sessions, of every server. */
  sessions(): string[];
  /** The names of the person's own sessions. */
  ownSessions(): string[];
}

export function createTmuxServer(): TmuxServer {
  const folder = createTempFolder();
  const environment = { TMUX_TMPDIR: folder.path };
  const env = { PATH: process.env.PATH ?? '', HOME: folder.path, TERM: 'xterm', ...environment };
  const run = (...args: string[]) =>
    execFileSync('tmux', ['-f', '/dev/null', ...args], { env, encoding: 'utf8', stdio: 'pipe' });
  const listSockets = () => {
    try {
      const below = join(folder.path, `tmux-${process.getuid?.()}`);
      return readdirSync(below).map((name) => join(below, name));
    } catch {
      // No server was ever started.
      return [];
    }
  };
  const list = (...server: string[]) => {
    const args = [...server, 'list-sessions', '-F', '#S'];
    const listed = spawnSync('tmux', args, { env, encoding: 'utf8' });
    return listed.status === 0 ? listed.stdout.trim().split('\n') : [];
  };
  return {
    environment,
    run,
    runInSaga: (...args) => run('-L', 'saga-sessions', ...args),
    sessions: () => listSockets().flatMap((socket) => list('-S', socket)),
    ownSessions: () => list(),
    [Symbol.dispose]() {
      // A test that started no server has none to end.
      for (const socket of listSockets()) spawnSync('tmux', ['-S', socket, 'kill-server'], { env });
      folder[Symbol.dispose]();
    },
  };
}
