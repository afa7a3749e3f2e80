import { SagaError } from '@saga-ai/core/errors';
import type { ProjectWatch } from '@saga-ai/core/overview/watch/watch';
import { loadConfigOrDefaults } from '@saga-ai/core/plan/config';
import type { Paths } from '@saga-ai/core/project/paths';
import { announceDashboard } from '@saga-ai/core/records/dashboard-record';
import { isLoopback } from '@saga-ai/dashboard/server/http/check-requests';
import { findClientFolder } from '@saga-ai/dashboard/server/http/client-folder';
import { startDashboard } from '@saga-ai/dashboard/server/start-dashboard';
import type { DashboardJson } from '@saga-ai/types/screens/json/machine';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { mayHaveEngine } from '../../fleet/may-have-engine.ts';
import { openBrowser } from '../../open-browser.ts';
import { untilAborted } from '../../stop-signal.ts';

export const command: Command<DashboardJson> = {
  output: () => import('@saga-ai/types/screens/json/machine').then((it) => it.DashboardJson),
  options: {
    port: { type: 'text', value: 'N', help: 'the port (setting dashboard.port: 4780)' },
    host: { type: 'text', value: 'HOST', help: 'the address to listen on (127.0.0.1)' },
    open: { type: 'boolean', help: 'open it in your browser' },
  },
  about: `Serves a local web page that shows all epics, stories and sessions live. The printed address
contains a token; without it, nobody can read anything, run or stop a story or answer a blocker. If you reach
the page through a reverse proxy or a cloud workspace, list its host name in the setting dashboard.names.
Ctrl-C ends the server.`,
  examples: ['saga dashboard --open'],
  async run(invocation) {
    const { paths, out, text, flag } = invocation;
    const env = environment.handedOver();
    const host = text('host') ?? '127.0.0.1';
    // The dashboard shows broken settings as a problem, so they must not keep it from starting.
    const settings = loadConfigOrDefaults(paths(), { environment: env }).dashboard;
    const wanted = readPort(invocation, settings.port);
    const stop = environment.stopSignal();
    await using dashboard = await startDashboard({
      paths: paths(),
      port: wanted,
      host,
      names: settings.names,
      env,
      program: environment.program(),
      userId: environment.userId(),
      clientFolder: findClientFolder(environment.programFolder()),
      fleet: await openDesk(paths()),
      report: (error) => out.problems([describeFault(error)]),
    });
    const { url, token, port } = dashboard;
    using _place = isLoopback(host) ? announce(paths(), url) : undefined;
    const notes = [
      ...(port === wanted || wanted === 0 ? [] : [`port ${wanted} is taken; using port ${port}`]),
      ...(isLoopback(host) ? [] : [OPEN_DOOR]),
    ];
    if (out.json) out.value({ url, token, port, notes });
    else
      out.lines([`dashboard  ${url}`, ...notes.map((note) => `  ! ${note}`), '  Ctrl-C ends it']);
    const tell = ({ problem }: ProjectWatch) => problem && out.problems([problem]);
    // A failure to start was already reported.
    dashboard.isFollowing.then(tell, () => {});
    using _opened = flag('open') ? await openBrowser(url, paths().root, env) : undefined;
    await untilAborted(stop);
    return 0;
  },
};

/** The code for a fleet is loaded only if an engine is set. */
async function openDesk(paths: Paths) {
  if (!mayHaveEngine()) return undefined;
  const { createFleetDesk } = await import('../../fleet/fleet-desk.ts');
  return createFleetDesk(paths);
}

/** Returns undefined if the folder cannot be written: the dashboard can still show what is in it. */
function announce(paths: Paths, url: string): Disposable | undefined {
  try {
    return announceDashboard(paths, new URL(url).origin);
  } catch (error) {
    if (error instanceof SagaError) return undefined;
    throw error;
  }
}

const OPEN_DOOR =
  'other machines can reach this page: everybody who has the address can read everything and start workers; the connection is not encrypted';

function readPort({ text }: Invocation, usual: number): number {
  const given = text('port');
  if (given === undefined) return usual;
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65535) return Number(given);
  throw new SagaError(
    'usage',
    `--port must be a number from 0 to 65535 (found ${JSON.stringify(given)}).`,
    '0 takes any free port.',
  );
}

function describeFault(error: unknown) {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const hint = 'This is a bug in SAGA. The dashboard keeps running.';
  return { code: 'internal' as const, message: text, hint };
}
