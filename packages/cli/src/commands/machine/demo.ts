import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { askClaudeVersion } from '@saga-ai/core/agents/claude/claude';
import { SagaError } from '@saga-ai/core/errors';
import { loadConfigOrDefaults } from '@saga-ai/core/plan/config';
import { findOnPath } from '@saga-ai/core/processes/find-program';
import type { Environment } from '@saga-ai/core/processes/run';
import { announceDashboard } from '@saga-ai/core/records/dashboard-record';
import { openTmux } from '@saga-ai/core/sessions/tmux';
import { findClientFolder } from '@saga-ai/dashboard/server/http/client-folder';
import { type Dashboard, startDashboard } from '@saga-ai/dashboard/server/start-dashboard';
import { walkTasks } from '@saga-ai/model/policies/walk-tasks';
import { startModel } from '@saga-ai/model/start-model';
import { EXIT_CODES } from '@saga-ai/types/run/session-record';
import type { DemoJson } from '@saga-ai/types/screens/json/machine';
import { formatEpicBranch } from '@saga-ai/types/words/names';
import type { Command, Invocation } from '../../command.ts';
import { collectResults, type StoryResult } from '../../demo/collect-results.ts';
import { checkOutMerged, countTests, tryTill } from '../../demo/count-tests.ts';
import { handOver, writeDemoCommand } from '../../demo/demo-command.ts';
import { createDemo, createFolder, type DemoFolder } from '../../demo/demo-folder.ts';
import { createDemoView, type DemoView } from '../../demo/demo-view.ts';
import { findDemoClient } from '../../demo/find-demo-client.ts';
import { formatReport } from '../../demo/format-report.ts';
import { type SampleRunner, showOnce, startSample } from '../../demo/run-sample.ts';
import { SAMPLE_PLAN, SAMPLE_WORK } from '../../demo/sample-plan.ts';
import { environment } from '../../environment.ts';
import { openBrowser } from '../../open-browser.ts';

export const command: Command<DemoJson> = {
  output: () => import('@saga-ai/types/screens/json/machine').then((it) => it.DemoJson),
  options: {
    headless: { type: 'boolean', help: 'exit when the stories have ended; for scripts' },
    'no-open': { type: 'boolean', help: 'do not open the dashboard in your browser' },
    keep: { type: 'boolean', help: 'keep the folder of the demo' },
  },
  about: `Creates a small sample repository with an epic of six stories and runs the epic as saga run does: up to
three stories at the same time in tmux, each merged into the branch of the epic when its checks have passed. The
real Claude Code works, with a scripted model instead of a paid one. The demo needs no account, no key and no
GitHub. It writes only to a temp folder, which it removes at the end.`,
  examples: ['saga demo', 'saga demo --headless --keep'],
  run: runDemo,
};

/** The exit code of a worker that was stopped. */
const STOPPED = EXIT_CODES.stopped;

async function runDemo(invocation: Invocation<DemoJson>): Promise<number> {
  const { out, flag } = invocation;
  const started = Date.now();
  const isAttended = process.stdout.isTTY === true && !flag('headless') && !out.json;
  const stop = environment.stopSignal();
  const env = environment.handedOver();
  const view = createDemoView(out, isAttended);
  const folder = createFolder();
  let demo: DemoFolder | undefined;
  try {
    const claude = await findDemoClient(folder, env, view.tell, stop);
    if (claude === undefined || stop.aborted) return STOPPED;
    const version = await askClaudeVersion(claude, folder, env);
    await using model = await startModel({ policy: walkTasks({ rehearsals: SAMPLE_WORK }) });
    const program = environment.program();
    demo = await createDemo(folder, { env, modelUrl: model.url, claude });
    writeDemoCommand(demo, program);
    await using dashboard = await openDashboard(demo, isAttended);
    const page = addressOfRun(dashboard.url);
    using _place = announceDashboard(demo.paths, new URL(dashboard.url).origin);
    view.tell(
      `A till that cannot add up, a plan of six stories, and Claude Code ${version}`,
      'with a scripted model. No account and no network; all files are in one folder.',
      '',
      `repository  ${demo.paths.root}`,
      `page        ${page}`,
    );
    if (stop.aborted) return STOPPED;
    using _opened =
      isAttended && !flag('no-open') ? await openBrowser(page, folder, env) : undefined;
    const testsBefore = await countTests(demo, demo.paths.root);
    view.tell(`tests       ${testsBefore.passed} of ${testsBefore.total} pass`, ...noTmux(env));
    const runner: SampleRunner = {
      demo,
      program,
      userId: environment.userId(),
      hasTmux: findOnPath('tmux', env) !== undefined,
      isAlone: !isAttended,
      stop,
      show: view.show,
      say: view.say,
    };
    const startedStories = Date.now();
    await using sample = await startSample(runner);
    await sample.untilIdle();
    const storiesMs = Date.now() - startedStories;
    view.end();
    if (stop.aborted) return STOPPED;
    const results = await collectResults(demo);
    const merged = await checkOutMerged(demo);
    const facts = {
      results,
      testsBefore,
      testsAfter: await countTests(demo, merged),
      receipt: await tryTill(demo, merged, ['2 tea 3.20', '1 book 12.50', '--code', 'SPRING']),
      storiesMs,
      totalMs: Date.now() - started,
    };
    if (out.json) {
      out.value({ ...facts, client: version, folder: demo.paths.root });
    } else {
      const place = { folder: demo.paths.root, merged, saga: demo.saga };
      const lasts = { stays: isAttended || flag('keep'), isOver: !isAttended };
      view.tell(...formatReport({ ...facts, ...place, ...lasts }, out));
    }
    if (isAttended) await stayAround(runner, view);
    return isAsPlanned(results) ? 0 : 1;
  } finally {
    if (demo) await endTmux(demo);
    if (flag('keep') && demo) {
      handOver(demo, environment.program());
      view.tell(
        '',
        `kept: ${folder}`,
        '  from now on, runs in this folder use your own Claude account',
      );
    } else {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      if (isAttended) view.tell('', 'The demo has ended and its folder is removed.');
    }
  }
}

/** The page of the run, with the token of the dashboard. */
function addressOfRun(dashboard: string): string {
  const url = new URL(dashboard);
  url.pathname = `/epics/${SAMPLE_PLAN.id}`;
  return url.href;
}

function noTmux(env: Environment): string[] {
  return findOnPath('tmux', env) === undefined
    ? ['! tmux is not installed, so the workers run inside the scheduler']
    : [];
}

function openDashboard({ paths, env }: DemoFolder, isAttended: boolean): Promise<Dashboard> {
  return startDashboard({
    paths,
    port: isAttended ? loadConfigOrDefaults(paths).dashboard.port : 0,
    env,
    program: environment.program(),
    userId: environment.userId(),
    clientFolder: findClientFolder(environment.programFolder()),
  });
}

/** Waits while a person answers the question on the page or in another terminal; the scheduler then goes on. */
async function stayAround(runner: SampleRunner, view: DemoView): Promise<void> {
  view.tell(
    '',
    'Answer it in another terminal or on the page of the run; then the rest runs. Ctrl-C ends the demo.',
  );
  let isTold = false;
  while (!runner.stop.aborted) {
    const { stories } = await showOnce(runner);
    if (!isTold && stories.every((it) => it.state === 'done')) {
      isTold = true;
      const { passed, total } = await countTests(runner.demo, await checkOutMerged(runner.demo));
      view.tell(
        `All six stories are merged into ${formatEpicBranch(SAMPLE_PLAN.id)}: ${passed} of ${total} tests pass. Ctrl-C ends the demo.`,
      );
    }
    await sleep(300, undefined, { signal: runner.stop }).catch(() => {
      // Ctrl-C ends the sleep; the condition of the loop then ends the loop.
    });
  }
  view.end();
}

/** Expected: four stories passed their gates, one asks its question, one waits for it. Or all six passed. */
function isAsPlanned(results: readonly StoryResult[]): boolean {
  const done = results.filter((it) => it.evidence?.holds).length;
  const asking = results.filter((it) => it.question !== null).length;
  return results.length === 6 && (done === 6 || (done === 4 && asking === 1));
}

/** Ends the demo's own tmux server and everything that still runs in it. */
async function endTmux({ folder, env }: DemoFolder): Promise<void> {
  try {
    await openTmux(folder, env, 'saga').endServer();
  } catch (error) {
    // tmux is not installed, so there is no server.
    if (!(error instanceof SagaError)) throw error;
  }
}
