import { SagaError } from '@saga-ai/core/errors';
import type { ProjectWatch } from '@saga-ai/core/overview/watch/watch';
import { loadConfigOrDefaults } from '@saga-ai/core/plan/config';
import type { Paths } from '@saga-ai/core/project/paths';
import { announceDashboard } from '@saga-ai/core/records/dashboard-record';
import { findClientFolder } from '@saga-ai/dashboard/server/http/client-folder';
import { isLoopback } from '@saga-ai/dashboard/server/http/guard-requests';
import { startDashboard } from '@saga-ai/dashboard/server/start-dashboard';
import type { DashboardJson } from '@saga-ai/types/screens/json/machine';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { openBrowser } from '../../open-browser.ts';
import { untilAborted } from '../../stop-signal.ts';

export const command: Command<DashboardJson> = {
  output: () => import('@saga-ai/types/screens/json/machine').then((it) => it.DashboardJson),
  options: {
    port: { type: 'text', value: 'N', help: 'else the setting dashboard.port (4780)' },
    host: { type: 'text', value: 'HOST', help: 'where to listen, else this machine alone' },
    open: { type: 'boolean', help: 'open it in your browser' },
  },
  about: `A local web page with all epics, stories and sessions as they are now. The address it prints holds
a token that actions need: run, stop, answer a blocker. It serves until it is interrupted.`,
  examples: ['saga dashboard --open'],
  async run(invocation) {
    const { paths, out, text, flag } = invocation;
    const env = environment.handedOver();
    const host = text('host') ?? '127.0.0.1';
    const wanted = readPort(invocation);
    const stop = environment.stopSignal();
    await using dashboard = await startDashboard({
      paths: paths(),
      port: wanted,
      host,
      env,
      program: environment.program(),
      userId: environment.userId(),
      clientFolder: findClientFolder(environment.programFolder()),
      report: (error) => out.problems([describeFault(error)]),
    });
    const { url, token, port } = dashboard;
    using _place = isLoopback(host) ? announce(paths(), url) : undefined;
    const notes = [
      ...(port === wanted || wanted === 0 ? [] : [`port ${wanted} is taken, so it is ${port}`]),
      ...(isLoopback(host) ? [] : [OPEN_DOOR]),
    ];
    if (out.json) out.value({ url, token, port, notes });
    else
      out.lines([`dashboard  ${url}`, ...notes.map((note) => `  ! ${note}`), '  Ctrl-C ends it']);
    const tell = ({ problem }: ProjectWatch) => problem && out.problems([problem]);
    // A fault while it is set up was reported already.
    dashboard.isFollowing.then(tell, () => {});
    if (flag('open')) await openBrowser(url, paths().root, env);
    await untilAborted(stop);
    return 0;
  },
};

/** A folder that cannot be written is no reason not to show what is in it. */
function announce(paths: Paths, url: string): Disposable | undefined {
  try {
    return announceDashboard(paths, new URL(url).origin);
  } catch (error) {
    if (error instanceof SagaError) return undefined;
    throw error;
  }
}

const OPEN_DOOR =
  'others can reach it: whoever has this address can read everything and start workers, and nothing is encrypted';

function readPort({ text, paths }: Invocation): number {
  const given = text('port');
  if (given === undefined) {
    // Settings that cannot be read are among the problems it shows: they must not keep it from starting.
    const settings = loadConfigOrDefaults(paths(), { environment: environment.variables() });
    return settings.dashboard.port;
  }
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65535) return Number(given);
  throw new SagaError(
    'usage',
    `--port must be a number from 0 to 65535 (found ${JSON.stringify(given)}).`,
    '0 takes any free one.',
  );
}

function describeFault(error: unknown) {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const hint = 'This is a fault of SAGA; the dashboard goes on.';
  return { code: 'internal' as const, message: text, hint };
}
