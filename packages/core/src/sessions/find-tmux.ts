import type { SessionRecord } from '@saga-ai/types/run/session-record';
import type { Environment } from '../processes/run.ts';
import { openTmux, type Tmux } from './tmux.ts';

/** Finds the tmux server that a session is on. Returns undefined if no server has the session (any more). */
export async function findTmux(
  { tmux: isInTmux, tmuxSocket, session }: SessionRecord,
  folder: string,
  env: Environment,
): Promise<Tmux | undefined> {
  if (!isInTmux) return undefined;
  const servers =
    tmuxSocket === undefined
      ? // Older versions did not record the server: try the one around this process, then the default one.
        [openTmux(folder, env, 'user'), openTmux(folder, { ...env, TMUX: undefined }, 'user')]
      : [openTmux(folder, env, { socket: tmuxSocket })];
  for (const server of servers) if (await server.has(session)) return server;
  return undefined;
}
