import type { SessionRecord } from '@saga-ai/types/run/session-record';
import type { Environment } from '../processes/run.ts';
import { openTmux, type Tmux } from './tmux.ts';

/** The tmux server that a session is on. Returns undefined if it is on none, or no longer. */
export async function findTmux(
  { tmux: isInTmux, tmuxSocket, session }: SessionRecord,
  folder: string,
  env: Environment,
): Promise<Tmux | undefined> {
  if (!isInTmux) return undefined;
  const servers =
    tmuxSocket === undefined
      ? // The record of an older version: on the server around us, or on the default one.
        [openTmux(folder, env, 'user'), openTmux(folder, { ...env, TMUX: undefined }, 'user')]
      : [openTmux(folder, env, { socket: tmuxSocket })];
  for (const server of servers) if (await server.has(session)) return server;
  return undefined;
}
