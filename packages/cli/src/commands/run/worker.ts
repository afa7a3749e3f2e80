import { basename, join } from 'node:path';
import { ensureSessionFolder } from '@saga-ai/core/files/session-folder';
import { loadItem } from '@saga-ai/core/plan/resolve';
import { loadStory } from '@saga-ai/core/plan/stories';
import { runWorker } from '@saga-ai/core/worker/run-worker';
import { loadWorkerConfig } from '@saga-ai/core/worker/worker-config';
import type { WorkerJson } from '@saga-ai/types/screens/json/run';
import { adviseAfter } from '@saga-ai/types/words/advise-after';
import { formatSession, parseSession } from '@saga-ai/types/words/names';
import type { Command, Invocation } from '../../command.ts';
import { describeWorktree } from '../../describe-worktree.ts';
import { environment } from '../../environment.ts';
import { EPIC_OPTIONS } from '../../epic-options.ts';
import { formatAdvice } from '../../output/gate-report.ts';
import { createWorkerView } from '../../output/worker-view.ts';
import { settleTrust } from '../../trust/settle-trust.ts';
import { readWorkerFlags, WORKER_OPTIONS } from '../../worker-options.ts';
import { describeWorkerProcess } from '../../worker-process.ts';

export const command: Command<WorkerJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.WorkerJson),
  args: [{ name: 'item', help: 'a story or an epic', required: true, complete: 'item' }],
  options: {
    ...WORKER_OPTIONS,
    ...EPIC_OPTIONS,
    'output-file': {
      type: 'text',
      value: 'FILE',
      help: 'write events there, one JSON object per line',
    },
    checked: {
      type: 'boolean',
      help: 'what the story waits for and its plan were checked just now; saga run passes this',
    },
    foreground: {
      type: 'boolean',
      help: 'accepted for scripts; a worker always runs in the foreground',
    },
  },
  about: `Takes the story to a pull request that is ready for review: it creates the worktree and a draft pull
request, starts headless runs, and runs the gate. If it is interrupted, start it again: it resumes where it
ended. For an epic, it works through all stories; see saga run. saga run does the same in the background.

Exit codes: 0 done, 1 error, 2 a limit or a stop, 3 needs a person.`,
  examples: ['saga worker cart-api', 'saga worker cart-api --max-time 30 --budget-usd 5'],
  async run(invocation) {
    const { args, paths } = invocation;
    const id = args[0] ?? '';
    if (loadItem(paths(), id).kind !== 'epic') return runInPlace(invocation);
    const { runEpicInPlace } = await import('./run-epic.ts');
    return runEpicInPlace(invocation, id);
  },
};

/** Runs the worker in this process and shows on the screen what it does. */
export async function runInPlace(invocation: Invocation<WorkerJson>): Promise<number> {
  const { args, paths, out, flag, text } = invocation;
  const storyId = args[0] ?? '';
  const around = environment.handedOver();
  // Fails here if the story does not exist, before a session is announced.
  loadStory(paths(), storyId);
  const given = text('output-file');
  const env = await settleTrust({
    paths: paths(),
    storyIds: [storyId],
    env: around,
    out,
    isGiven: flag('trust'),
    // saga run started this worker in a terminal that nobody watches, and asked already.
    mayAsk: given === undefined,
  });
  const flags = readWorkerFlags(invocation);
  const config = loadWorkerConfig(paths(), storyId, { environment: env, flags });
  const now = Date.now();
  const named = given && parseSession(basename(given).replace(/\.jsonl$/, ''));
  const timestamp = named && named.storyId === storyId ? named.timestamp : now;
  const session = formatSession({ storyId, timestamp });
  const outputFile =
    given ?? join(ensureSessionFolder(env, environment.userId()), `${session}.jsonl`);
  using view = out.json
    ? undefined
    : createWorkerView(out, () => loadStory(paths(), storyId).tasks);
  const end = await runWorker({
    paths: paths(),
    storyId,
    config,
    ...describeWorkerProcess(env),
    session,
    timestamp,
    deadline: now + config.worker.maxTime * 60_000,
    anyway: flag('anyway'),
    isChecked: flag('checked'),
    outputFile,
    listen: (event) => {
      // `run` prints the error with its remedy.
      if (event.type !== 'worker:end' || event.kind !== 'error') view?.read(event);
    },
  });
  view?.[Symbol.dispose]();
  if (end.error !== undefined) throw end.error;
  if (out.json) {
    const { kind, reason, exitCode } = end;
    out.value({ story: storyId, session, outputFile, outcome: kind, reason, exitCode });
  } else {
    const advice = adviseAfter(end, storyId, describeWorktree(paths(), storyId));
    out.lines(formatAdvice(advice, out.width));
  }
  return end.exitCode;
}
