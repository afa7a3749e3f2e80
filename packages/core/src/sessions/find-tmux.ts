import type { SessionRecord } from '@saga-ai/types/run/session-record';
import type { Environment } from '../processes/run.ts';
import { openTmux, type Tmux } from './tmux.ts';

/** Finds the tmux server that a session is on. Returns undefined if it does not have the session (any more). */
export async function findTmux(
  { tmux: isInTmux, tmuxSocket, session }: SessionRecord,
  folder: string,
  env: Environment,
): Promise<Tmux | undefined> {
  if (!isInTmux || tmuxSocket === undefined) return undefined;
  const server = openTmux(folder, env, { socket: tmuxSocket });
  return (await server.has(session)) ? server : undefined;
}
