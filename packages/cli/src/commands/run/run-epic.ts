import { basename, join } from 'node:path';
import { saveControl } from '@saga-ai/core/epic/control';
import { runEpicSession } from '@saga-ai/core/epic/epic-session';
import { type EpicItem, layOut } from '@saga-ai/core/epic/layout';
import { isEpicRunning, startEpic } from '@saga-ai/core/epic/start-epic';
import { ensureSessionFolder } from '@saga-ai/core/files/session-folder';
import { loadConfig } from '@saga-ai/core/plan/config';
import { readEpics } from '@saga-ai/core/plan/epics';
import { loadWriteFiles } from '@saga-ai/core/plan/stories';
import { findOnPath } from '@saga-ai/core/processes/find-program';
import type { Paths } from '@saga-ai/core/project/paths';
import { findDashboard } from '@saga-ai/core/records/dashboard-record';
import { createInProcessLauncher } from '@saga-ai/core/sessions/in-process-launcher';
import { createTmuxLauncher } from '@saga-ai/core/sessions/tmux-launcher';
import type { RunJson, WorkerJson } from '@saga-ai/types/screens/json/run';
import { count } from '@saga-ai/types/words/amounts';
import { formatEpicBranch, formatEpicSession, parseEpicSession } from '@saga-ai/types/words/names';
import type { Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { readEpicOptions, readJobs, readMaxTime, repeatEpicOptions } from '../../epic-options.ts';
import { createWorkerView } from '../../output/worker-view.ts';
import { settleTrust } from '../../trust/settle-trust.ts';
import { describeWorkerProcess } from '../../worker-process.ts';

/** Lists what an epic consists of. */
export function loadItems(paths: Paths, epicId: string) {
  const epics = new Map(readEpics(paths).epics.map((it) => [it.id, it]));
  return layOut(epicId, epics, (id) => loadWriteFiles(paths, id));
}

export const listStories = (items: readonly EpicItem[]) =>
  items.filter((it) => it.kind === 'story').map((it) => it.id);

/** Starts the scheduler of an epic in tmux, or changes the number of jobs of one that runs. */
export async function startEpicInBackground(
  invocation: Invocation<RunJson>,
  epicId: string,
): Promise<number> {
  const { paths, out } = invocation;
  const jobs = readJobs(invocation);
  if (isEpicRunning(paths(), epicId) && jobs !== undefined) {
    saveControl(paths(), epicId, { jobs });
    if (out.json) {
      out.value({ epic: epicId, jobs });
      return 0;
    }
    out.lines([
      `${out.paint('done', '✓')} ${epicId} works on ${count(jobs, 'story', 'stories')} at the same time now`,
    ]);
    return 0;
  }
  const items = loadItems(paths(), epicId);
  const env = await settleTrust({
    paths: paths(),
    storyIds: listStories(items),
    env: environment.handedOver(),
    out,
    isGiven: invocation.flag('trust'),
  });
  const { config } = loadConfig(paths(), { environment: env });
  const options = readEpicOptions(invocation, config, items);
  saveControl(paths(), epicId, { isPaused: false, jobs: undefined });
  const { session, outputFile, state } = await startEpic({
    paths: paths(),
    storyId: epicId,
    command: [...environment.program(), 'worker', epicId, ...repeatEpicOptions(invocation)],
    env,
    userId: environment.userId(),
    timestamp: Date.now(),
  });
  if (out.json) {
    const told = state === 'started' ? 'started' : 'starting';
    out.value({ story: epicId, session, outputFile, state: told });
    return 0;
  }
  const stories = listStories(items).length;
  const into = config.epic.integrate === 'branch' ? `  → ${formatEpicBranch(epicId)}` : '';
  const page = findDashboard(paths());
  out.lines([
    `${out.paint('running', '▸')} ${out.paint('strong', epicId)}  ${count(stories, 'story', 'stories')}, ${options.jobs} at the same time${into}`,
    `  session  ${session}`,
    `  output   ${outputFile}`,
    `  watch    saga logs -f ${epicId} · saga status ${epicId}`,
    ...(page ? [`           ${page}/epics/${epicId}`] : []),
    `  change   saga pause ${epicId} · saga run ${epicId} --jobs N · saga stop ${epicId}`,
  ]);
  return 0;
}

/** Runs the scheduler of an epic in this process. */
export async function runEpicInPlace(
  invocation: Invocation<WorkerJson>,
  epicId: string,
): Promise<number> {
  const { paths, out, text, flag } = invocation;
  const items = loadItems(paths(), epicId);
  const given = text('output-file');
  const env = await settleTrust({
    paths: paths(),
    storyIds: listStories(items),
    env: environment.handedOver(),
    out,
    isGiven: flag('trust'),
    // saga run started this scheduler in a terminal that nobody watches, and asked already.
    mayAsk: given === undefined,
  });
  const flags = flag('no-pr') ? { 'pullRequest.mode': 'off' } : {};
  const { config } = loadConfig(paths(), { environment: env, flags });
  const options = readEpicOptions(invocation, config, items);
  const now = Date.now();
  const named = given && parseEpicSession(basename(given).replace(/\.jsonl$/, ''));
  const timestamp = named && named.storyId === epicId ? named.timestamp : now;
  const session = formatEpicSession({ storyId: epicId, timestamp });
  const userId = environment.userId();
  const outputFile = given ?? join(ensureSessionFolder(env, userId), `${session}.jsonl`);
  const process = describeWorkerProcess(env);
  const place = { paths: paths(), env, userId };
  const launcher = findOnPath('tmux', env)
    ? createTmuxLauncher({ ...place, program: environment.program() })
    : createInProcessLauncher({ ...place, agentHome: process.agentHome });
  const minutes = readMaxTime(invocation);
  using view = out.json ? undefined : createWorkerView(out, () => []);
  const end = await runEpicSession({
    paths: paths(),
    epicId,
    config,
    ...process,
    session,
    timestamp,
    deadline: minutes === undefined ? Number.POSITIVE_INFINITY : now + minutes * 60_000,
    anyway: flag('anyway'),
    outputFile,
    launcher,
    options,
    listen: (event) => {
      if (event.type !== 'worker:end' || event.kind !== 'error') view?.read(event);
    },
  });
  view?.[Symbol.dispose]();
  if (end.error !== undefined) throw end.error;
  const { kind, reason, exitCode } = end;
  if (out.json) {
    out.value({ story: epicId, session, outputFile, outcome: kind, reason, exitCode });
  }
  return exitCode;
}
