import { SagaError } from '@saga-ai/core/errors';
import { loadOverview } from '@saga-ai/core/overview/overview';
import { loadConfigOrDefaults } from '@saga-ai/core/plan/config';
import { listEpicsAround } from '@saga-ai/core/plan/epics';
import { loadItem } from '@saga-ai/core/plan/resolve';
import { displayPath } from '@saga-ai/core/project/display-path';
import type { Paths } from '@saga-ai/core/project/paths';
import { findDashboard } from '@saga-ai/core/records/dashboard-record';
import { startWorker } from '@saga-ai/core/sessions/start-worker';
import { findWorktreePlace } from '@saga-ai/core/worker/prepare/find-worktree-place';
import { requireStartable } from '@saga-ai/core/worker/prepare/require-startable';
import type { RunJson } from '@saga-ai/types/screens/json/run';
import { count } from '@saga-ai/types/words/amounts';
import { formatStoryBranch } from '@saga-ai/types/words/names';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { EPIC_OPTIONS, readJobs } from '../../epic-options.ts';
import { requireNotHeld } from '../../fleet/require-not-held.ts';
import { sayWord } from '../../fleet/say-word.ts';
import { settleTrust } from '../../trust/settle-trust.ts';
import { readWorkerFlags, repeatWorkerFlags, WORKER_OPTIONS } from '../../worker-options.ts';
import { runInPlace } from './worker.ts';

export const command: Command<RunJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.RunJson),
  args: [
    {
      name: 'item',
      help: 'a story or an epic; or several stories of one epic',
      required: true,
      rest: true,
      complete: 'item',
    },
  ],
  options: {
    ...WORKER_OPTIONS,
    ...EPIC_OPTIONS,
    'dry-run': { type: 'boolean', help: 'for an epic: print what would run, and change nothing' },
    foreground: { type: 'boolean', help: 'run in this terminal instead of tmux' },
    engine: { type: 'boolean', help: 'hand it over to the machines of the fleet (engine.url)' },
  },
  about: `Starts a worker for the story in a tmux session on this machine and returns as soon as the worker
runs. The worker keeps running when you close this terminal. It ends if the machine is switched off; saga run
then resumes. Sessions have a tmux server of their own (session.tmuxServer); saga attach finds it.

For an epic, a scheduler starts its stories in the order of their dependencies, several at the same time. Each
story that passed its gate is merged into the branch of the epic and verified; then the stories that wait for it
can start. A story that needs a person holds up only the stories that depend on it; the scheduler goes on when you
have helped. --max-time and the budgets count for the whole epic. After a stop or a crash, start the epic again: it
goes on.

With --engine, other machines do the work: those on which saga agent runs. The plan must be pushed, because they
take it from the remote. All commands that show or steer a run work from here all the same.

Exit codes: 0 started, 1 not started, with the reason. With --foreground, those of saga worker.`,
  examples: [
    'saga run cart-api',
    'saga run cart-api --foreground --budget-usd 5',
    'saga run shop --jobs 3',
    'saga run shop --dry-run',
    'saga run shop --engine --jobs 8',
  ],
  async run(asked) {
    const { invocation, epicId } = findEpic(asked);
    const { args, paths, out, flag } = invocation;
    const storyId = args[0] ?? '';
    if (epicId !== undefined) {
      const { printDryRun } = await import('./dry-run.ts');
      if (flag('dry-run')) return printDryRun(invocation, epicId);
      if (await changeJobs(invocation, epicId)) return 0;
      if (flag('engine')) return handOver(invocation, epicId, 'epic');
      requireNotHeld(paths(), epicId);
      const { runEpicInPlace, startEpicInBackground } = await import('./run-epic.ts');
      return flag('foreground')
        ? runEpicInPlace(invocation, epicId)
        : startEpicInBackground(invocation, epicId);
    }
    if (flag('dry-run')) throw onlyEpics('--dry-run');
    if (flag('engine')) return handOver(invocation, storyId, 'story');
    requireNotHeld(paths(), storyId);
    const anyway = flag('anyway');
    // If the story cannot run now, the command says so before it asks for trust.
    await requireStartable(paths(), storyId, environment.handedOver(), anyway);
    const behind = await describeBehind(paths(), storyId);
    if (flag('foreground')) {
      if (!out.json) out.lines(behind);
      return runInPlace(invocation);
    }
    const env = await settleTrust({
      paths: paths(),
      storyIds: [storyId],
      env: environment.handedOver(),
      out,
      isGiven: flag('trust'),
    });
    const { session, outputFile, state, end } = await startWorker({
      paths: paths(),
      storyId,
      command: [...environment.program(), 'worker', storyId, ...repeatWorkerFlags(invocation)],
      env,
      userId: environment.userId(),
      timestamp: Date.now(),
      flags: readWorkerFlags(invocation),
      anyway,
    });
    if (state === 'ended') throw endedAtOnce(storyId, end?.reason);
    if (out.json) return void out.value({ story: storyId, session, outputFile, state });
    if (state === 'starting') {
      out.lines([
        `${out.paint('running', '▸')} ${out.paint('strong', storyId)}  still starting: its worker lives, but is not under way yet`,
        `  session  ${session}`,
        `  output   ${outputFile}`,
        '  watch    saga sessions   lists it once it is under way',
      ]);
      return 0;
    }
    const page = findDashboard(paths());
    const config = loadConfigOrDefaults(paths(), { environment: env });
    const { folder } = findWorktreePlace({ paths: paths(), storyId, config, env });
    const worktree = displayPath(paths().root, folder);
    const place = `${formatStoryBranch(storyId)} → ${worktree}`;
    const head = `${out.paint('running', '▸')} ${out.paint('strong', storyId)}`;
    const isNarrow = storyId.length + place.length + 4 > out.width;
    const watch = [`saga attach ${storyId}`, `saga logs -f ${storyId}`];
    out.lines([
      ...(isNarrow
        ? [head, `  branch   ${formatStoryBranch(storyId)}`, `  in       ${worktree}`]
        : [`${head}  ${place}`]),
      `  session  ${session}`,
      `  output   ${outputFile}`,
      ...(isNarrow ? watch : [watch.join(' · ')]).map(
        (line, i) => `  ${i === 0 ? 'watch' : '     '}    ${line}`,
      ),
      ...(page ? [`           ${page}/stories/${storyId}`] : []),
      ...behind,
    ]);
    return 0;
  },
};

/**
 * Changes the number of jobs of an epic that the fleet runs. Returns false if the fleet does not run the epic,
 * or if no number is given.
 */
async function changeJobs(invocation: Invocation<RunJson>, epic: string): Promise<boolean> {
  const { paths, out } = invocation;
  const jobs = readJobs(invocation);
  if (jobs === undefined) return false;
  const machine = await sayWord(paths(), epic, 'control', { jobs });
  if (machine === undefined) return false;
  if (out.json) out.value({ epic, jobs });
  else {
    const stories = count(jobs, 'story', 'stories');
    out.lines([`${out.paint('done', '✓')} ${epic} works on ${stories} at the same time now`]);
  }
  return true;
}

/** The code for a fleet is loaded only if an engine is set. */
const handOver: typeof import('./hand-over.ts').handOver = async (...args) =>
  (await import('./hand-over.ts')).handOver(...args);

/** Several stories are run as a part of the epic around them. */
function findEpic(invocation: Invocation<RunJson>): {
  invocation: Invocation<RunJson>;
  epicId?: string;
} {
  const { args, paths, texts } = invocation;
  const [first = '', ...more] = args;
  const item = loadItem(paths(), first);
  if (more.length === 0) {
    return { invocation, epicId: item.kind === 'epic' ? first : undefined };
  }
  const [outermost] = listEpicsAround(paths(), first).slice(-1);
  const isCommon = more.every((id) => listEpicsAround(paths(), id).at(-1) === outermost);
  if (outermost === undefined || !isCommon) {
    throw new SagaError(
      'usage',
      'These are not all stories of one epic.',
      `Start them one after the other: ${args.map((id) => `saga run ${id}`).join(' && ')}`,
    );
  }
  const only = (name: string) => (name === 'only' ? [...texts(name), ...args] : texts(name));
  return { invocation: { ...invocation, texts: only }, epicId: outermost };
}

const onlyEpics = (option: string) =>
  new SagaError('usage', `${option} is for an epic.`, 'See what a story would do: saga rehearse');

/** Says that the base moved on since the story's branch left it. */
async function describeBehind(paths: Paths, storyId: string): Promise<string[]> {
  const { stories } = await loadOverview(paths, environment.handedOver());
  const { behind = 0 } = stories.find((it) => it.id === storyId) ?? {};
  if (!behind) return [];
  return [
    `  behind   its base by ${count(behind, 'commit')}; to bring them in after the run:`,
    `           saga update ${storyId}`,
  ];
}

function endedAtOnce(storyId: string, reason = 'it said no reason'): SagaError {
  return new SagaError(
    'session-failed',
    `The worker of ${storyId} ended before it could begin: ${reason}.`,
    `See where the story stands: saga show ${storyId}`,
  );
}
