import type { Config } from '@saga-ai/types/config';
import { parseAnySession } from '@saga-ai/types/words/names';
import { SagaError } from '../errors.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import { type Ended, type Environment, runInTerminal, runProgram } from '../processes/run.ts';
import { RUN_VARIABLE, WORKER_VARIABLE } from '../processes/variables.ts';

export interface Tmux {
  version(): Promise<string>;
  has(session: string): Promise<boolean>;
  start(session: string, cwd: string, command: readonly string[]): Promise<void>;
  attach(session: string): Promise<Ended>;
  /** Ends the server and every session on it. */
  endServer(): Promise<void>;
}

/**
 * A tmux server. `saga`: SAGA's own server, which reads no configuration. `user`: the server that plain `tmux` talks to
 * here. An object names the socket of another server.
 */
export type TmuxServer = Config['session']['tmuxServer'] | { socket: string };

/** The socket's name in tmux's own folder, which is below TMUX_TMPDIR and one per user. */
const SAGA_SOCKET = 'saga-sessions';

/**
 * The limit for a call of tmux. It is generous, because on a busy machine a server may take seconds to start or to
 * answer.
 */
const LOCAL_MS = 60_000;

export function openTmux(folder: string, env: Environment, server: TmuxServer): Tmux {
  const address = addressOf(server);
  const run = (args: readonly string[]) =>
    runProgram('tmux', [...address, ...args], {
      cwd: folder,
      env: withoutMarks(env),
      timeoutMs: LOCAL_MS,
    });
  return {
    async version() {
      const { stdout } = await run(['-V']);
      return stdout.replace(/^tmux\s+/, '').trim();
    },
    async has(session) {
      // "=" means exactly this name; otherwise tmux would accept a prefix.
      const { code, timedOut } = await run(['has-session', '-t', `=${session}`]);
      // A server that is too busy to answer did not say that the session is gone.
      return code === 0 || timedOut;
    },
    async start(session, cwd, command) {
      const place = ['-s', session, '-c', cwd, '-x', '120', '-y', '40'];
      const create = ['new-session', '-d', ...place, '--', ...command].map(escapeSeparator);
      const options = server === 'saga' ? [] : keepAlive(session);
      const result = await run([...create, ...options]);
      if (result.code === 0) return;
      throw new SagaError(
        'session-failed',
        `tmux did not start session ${session}: ${describeFailure(result)}.`,
        `${server === 'user' ? 'Set session.tmuxServer to "saga", or run' : 'Run'} it in place instead: saga run --foreground`,
      );
    },
    attach(session) {
      // Inside the same server, switch to the session. Inside another one, attach; tmux refuses that
      // while TMUX is set.
      const isInside = server === 'user' ? env.TMUX : isSame(server, findTmuxSocket(env));
      const target = ['-t', `=${session}`];
      return isInside
        ? runInTerminal('tmux', [...address, 'switch-client', ...target], env)
        : runInTerminal('tmux', [...address, 'attach-session', ...target], {
            ...env,
            TMUX: undefined,
          });
    },
    async endServer() {
      await run(['kill-server']);
    },
  };
}

/** Lists the sessions of SAGA on a server, each with the command that ends it. Returns [] if there is no server. */
export async function listTmuxSessions(
  folder: string,
  env: Environment,
  server: Config['session']['tmuxServer'],
): Promise<{ session: string; kill: string }[]> {
  const address = addressOf(server);
  try {
    const args = [...address, 'list-sessions', '-F', '#{session_name}'];
    const options = { cwd: folder, env: withoutMarks(env), timeoutMs: LIST_MS };
    const { stdout } = await runProgram('tmux', args, options);
    const names = stdout.split('\n').filter((name) => parseAnySession(name) !== undefined);
    return names.map((session) => ({
      session,
      kill: ['tmux', ...address, 'kill-session', '-t', `=${session}`].join(' '),
    }));
  } catch {
    // tmux is not installed.
    return [];
  }
}

/** The limit for listing sessions. It is short, because a list is only for display. */
const LIST_MS = 5000;

/** The socket of the server whose session this process is in; undefined outside tmux. */
export function findTmuxSocket({ TMUX }: Environment): string | undefined {
  return TMUX?.replace(/,\d+,\d+$/, '') || undefined;
}

function addressOf(server: TmuxServer): string[] {
  if (server === 'user') return [];
  return server === 'saga' ? ['-L', SAGA_SOCKET, '-f', '/dev/null'] : ['-S', server.socket];
}

function isSame(server: TmuxServer, socket: string | undefined): boolean {
  return typeof server === 'object' && server.socket === socket;
}

/**
 * Options of this session that win over the person's configuration. They are set in the command that creates the
 * session, so that tmux does not destroy the session before they apply.
 */
function keepAlive(session: string): string[] {
  return [
    ...[';', 'set-option', '-t', `=${session}:`, 'destroy-unattached', 'off'],
    ...[';', 'set-option', '-w', '-t', `=${session}:`, 'remain-on-exit', 'off'],
  ];
}

/** A word that ends with ";" would end the command for tmux. */
function escapeSeparator(word: string): string {
  return word.endsWith(';') ? `${word.slice(0, -1)}\\;` : word;
}

/**
 * A server outlives the process that started it. With the mark of a worker or a run, it would be ended together
 * with that.
 */
function withoutMarks(env: Environment): Environment {
  return { ...env, [RUN_VARIABLE]: undefined, [WORKER_VARIABLE]: undefined };
}
