import { LiveProject } from '@saga-ai/core/overview/live/live-project';
import type { ProjectWatch } from '@saga-ai/core/overview/watch/watch';
import type { Environment } from '@saga-ai/core/processes/run';
import type { Paths } from '@saga-ai/core/project/paths';
import { createApp } from './app.ts';
import type { FleetDesk } from './fleet/fleet-routes.ts';
import { isLoopback } from './http/check-requests.ts';
import { createEventStreams } from './http/event-stream.ts';
import { listen } from './http/listen.ts';
import { createToken, loadToken } from './load-token.ts';
import { Proposals } from './planning/proposals.ts';

export interface DashboardOptions {
  paths: Paths;
  port: number;
  /** The address to listen on; loopback if missing. */
  host?: string;
  /** Further host names under which it is reached. */
  names?: readonly string[];
  env: Environment;
  /** The words that started this saga. */
  program: readonly string[];
  userId?: number | undefined;
  /** The folder of the built pages. */
  clientFolder: string;
  /** The fleet, if an engine is set. */
  fleet?: FleetDesk | undefined;
  /** False polls for changes instead of using the notifications of the system. */
  nativeWatch?: boolean;
  /** Called with every unexpected error. */
  report?(error: unknown): void;
}

export interface Dashboard extends AsyncDisposable {
  /** The address, with the token. */
  url: string;
  token: string;
  /** The port in use. It differs from the requested one if that was taken. */
  port: number;
  /** Resolves as soon as changes of files are noticed, and says how. */
  isFollowing: Promise<ProjectWatch>;
  close(): Promise<void>;
}

export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { paths, env, program, userId, clientFolder, host = '127.0.0.1' } = options;
  // Beyond loopback the token crosses the network unencrypted, so it is good for one start only.
  const token = isLoopback(host) ? loadToken(paths, env, userId) : createToken();
  const report = options.report ?? (() => {});
  const project = await LiveProject.open(paths, env, report);
  const streams = createEventStreams(project.changes);
  const ends: (() => void)[] = [];
  const action = { paths, env, program, userId };
  const proposals = new Proposals(action);
  const app = createApp({
    project,
    streams,
    requestCheck: { host, token, names: options.names ?? [] },
    env,
    clientFolder,
    onClose: (end) => ends.push(end),
    action,
    proposals,
    fleet: options.fleet,
    report,
  });
  const { server, port } = await listen(app, host, options.port);
  const isNative = options.nativeWatch ?? true;
  const isFollowing = project.follow({ native: isNative });
  const close = async () => {
    const isClosed = new Promise((resolve) => server.close(resolve));
    streams.close();
    for (const end of ends) end();
    await proposals.stop();
    await options.fleet?.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    await isClosed;
    await project.close();
  };
  const shown = host.includes(':') ? `[${host}]` : host;
  const url = `http://${shown}:${port}/?token=${token}`;
  return { url, token, port, isFollowing, close, [Symbol.asyncDispose]: close };
}
