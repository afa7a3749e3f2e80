import { startEpic } from '@saga-ai/core/epic/start-epic';
import { SagaError } from '@saga-ai/core/errors';
import { displayPath } from '@saga-ai/core/project/display-path';
import { discardWork } from '@saga-ai/core/recovery/discard';
import { planRecovery, type RecoveryPlan } from '@saga-ai/core/recovery/plan';
import { survey } from '@saga-ai/core/recovery/survey';
import { startWorker } from '@saga-ai/core/sessions/start-worker';
import type { InFlight, RecoverJson } from '@saga-ai/types/screens/json/recovery';
import { count } from '@saga-ai/types/words/amounts';
import type { Problem } from '@saga-ai/types/words/problem';
import { askFirst, YES_OPTION } from '../../ask-first.ts';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { settleTrust, TRUST_OPTION } from '../../trust/settle-trust.ts';
import { describeDiscarded, viewDiscarded } from './describe-discarded.ts';
import { formatPlan } from './format-plan.ts';

export const command: Command<RecoverJson> = {
  output: () => import('@saga-ai/types/screens/json/recovery').then((it) => it.RecoverJson),
  options: {
    resume: { type: 'text', value: 'story', help: 'go on with this story, or with this epic' },
    'resume-all': { type: 'boolean', help: 'go on with everything that can go on' },
    discard: {
      type: 'text',
      value: 'story',
      help: 'put worktree and branch of this story into the trash',
    },
    ...YES_OPTION,
    ...TRUST_OPTION,
  },
  about: `Says what was in flight when workers ended without finishing: after a crash, a restart, a kill or a stop.
For each story it names the worktree, what is not committed or not pushed, the task that was under way, and what
would happen next, with the evidence for it. Below that it lists orphans: worktrees, branches, locks, sessions,
processes and task lists that belong to nothing, each with a remedy.

Without an option it only looks: it changes nothing, fetches nothing and costs no tokens. Nothing is resumed by
itself. --discard saves commits, uncommitted and new files in the trash before it removes anything; ignored files
are not saved. saga trash restore brings the story back.`,
  examples: [
    'saga recover',
    'saga recover --resume cart-api',
    'saga recover --resume-all --yes',
    'saga recover --discard old-spike',
  ],
  async run(invocation) {
    const { paths, out, text, flag } = invocation;
    const [resume, discard] = [text('resume'), text('discard')];
    if ([resume, discard, flag('resume-all') || undefined].filter(Boolean).length > 1) {
      throw new SagaError(
        'usage',
        '--resume, --resume-all and --discard cannot be combined.',
        'Give one of them, then the next.',
      );
    }
    if (discard !== undefined) return discardOne(invocation, discard);
    const env = environment.handedOver();
    const facts = await survey(paths(), env, environment.claudeConfig(env));
    const plan = planRecovery(facts);
    if (resume !== undefined)
      return resumeAll(invocation, plan, facts.problems, [find(plan, resume)]);
    if (flag('resume-all')) {
      const able = plan.inFlight.filter(canResume);
      const names = able.map(({ id }) => id).join(', ');
      if (able.length > 0) {
        await askFirst(
          invocation,
          [`This starts ${count(able.length, 'worker')}: ${names}.`],
          'Start them?',
        );
      }
      return resumeAll(invocation, plan, facts.problems, chooseStarts(able, facts.stories));
    }
    if (out.json) return void out.value(toJson(plan, facts.problems));
    out.problems(facts.problems);
    out.lines(formatPlan(plan, paths(), out));
    return 0;
  },
};

const toJson = (
  plan: RecoveryPlan,
  problems: readonly Problem[],
  more: Partial<RecoverJson> = {},
): RecoverJson => ({ ...plan, resumed: [], discarded: null, problems: [...problems], ...more });

const canResume = ({ next }: InFlight) => next.command.startsWith('saga recover --resume ');

function find({ inFlight, running }: RecoveryPlan, id: string): InFlight {
  const found = inFlight.find((it) => it.id === id);
  if (found && canResume(found)) return found;
  if (found) {
    throw new SagaError(
      'in-flight',
      `${id} cannot be resumed yet: ${found.reason}.`,
      `First: ${found.next.command}`,
    );
  }
  throw new SagaError(
    'not-found',
    running.includes(id) ? `${id} is running.` : `${id} was not in flight.`,
    running.includes(id) ? `Watch it: saga logs -f ${id}` : 'saga recover shows what was.',
  );
}

/** A scheduler starts the stories of its epic itself. */
function chooseStarts(
  able: readonly InFlight[],
  stories: readonly { id: string; epic: string | null }[],
): InFlight[] {
  const epics = new Set(able.filter(({ kind }) => kind === 'epic').map(({ id }) => id));
  const epicOf = new Map(stories.map(({ id, epic }) => [id, epic]));
  return able.filter(({ kind, id }) => kind === 'epic' || !epics.has(epicOf.get(id) ?? ''));
}

/** Starts each worker. One that cannot be started does not keep the others from it. */
async function resumeAll(
  invocation: Invocation<RecoverJson>,
  plan: RecoveryPlan,
  problems: readonly Problem[],
  wanted: readonly InFlight[],
): Promise<number> {
  const { out } = invocation;
  if (wanted.length === 0 && !out.json) {
    out.lines(['Nothing can be resumed.']);
    return 0;
  }
  const resumed: RecoverJson['resumed'] = [];
  for (const item of wanted) {
    try {
      const session = await start(invocation, item);
      resumed.push({ id: item.id, session, error: null });
      if (!out.json) {
        out.lines([
          `${out.paint('running', '▸')} ${out.paint('strong', item.id)}  ${item.next.what}`,
          `  watch    saga logs -f ${item.id}`,
        ]);
      }
    } catch (error) {
      if (!(error instanceof SagaError) || wanted.length === 1) throw error;
      resumed.push({ id: item.id, session: null, error: error.message });
      if (!out.json) out.problems([error]);
    }
  }
  if (out.json) out.value(toJson(plan, problems, { resumed }));
  return resumed.some(({ error }) => error !== null) ? 1 : 0;
}

async function start(
  { paths, out, flag }: Invocation<RecoverJson>,
  { id, kind }: InFlight,
): Promise<string> {
  const env = await settleTrust({
    paths: paths(),
    storyIds: kind === 'story' ? [id] : [],
    env: environment.handedOver(),
    out,
    isGiven: flag('trust'),
  });
  const request = {
    paths: paths(),
    storyId: id,
    command: [...environment.program(), 'worker', id],
    env,
    userId: environment.userId(),
    timestamp: Date.now(),
  };
  const { session } = await (kind === 'epic' ? startEpic(request) : startWorker(request));
  return session;
}

async function discardOne(invocation: Invocation<RecoverJson>, id: string): Promise<number> {
  const { paths, out } = invocation;
  const env = environment.handedOver();
  const facts = await survey(paths(), env, environment.claudeConfig(env));
  const plan = planRecovery(facts);
  const isEpic =
    !facts.stories.some((it) => it.id === id) &&
    !facts.branches.stories.local.has(id) &&
    facts.branches.epics.local.has(id);
  const worktree = facts.worktrees.find((it) => it.story === id && !it.isGone);
  const hasBranch = isEpic || facts.branches.stories.local.has(id);
  const found = plan.inFlight.find((it) => it.id === id);
  if (!worktree && !hasBranch && !found) throw nothingThere(id, plan);
  const files = found?.worktree?.changed.length ?? 0;
  const parts = [
    ...(worktree ? [`the worktree ${worktree.shown}`] : []),
    ...(hasBranch ? [`the branch ${isEpic ? 'epic' : 'story'}/${id}`] : []),
  ];
  const what =
    parts.length > 0 ? `This removes ${parts.join(' and ')}` : 'This forgets its workers';
  const kept = files > 0 ? `, with ${count(files, 'uncommitted file')}` : '';
  await askFirst(
    invocation,
    [`${what}${kept}. Everything but ignored files is kept in the trash.`],
    `Discard ${id}?`,
  );
  const discarded = await discardWork({ paths: paths(), id, isEpic, env, why: 'discard' });
  if (out.json) {
    out.value(toJson(plan, facts.problems, { discarded: viewDiscarded(id, discarded) }));
    return 0;
  }
  const show = (path: string) => displayPath(paths().root, path);
  out.lines(describeDiscarded(id, 'discarded', discarded, show, out));
  return 0;
}

function nothingThere(id: string, { running }: RecoveryPlan): SagaError {
  if (running.includes(id)) {
    return new SagaError(
      'in-flight',
      `${id} is running, so it cannot be discarded.`,
      `Stop it first: saga stop ${id}`,
    );
  }
  return new SagaError(
    'not-found',
    `${id} has no worktree and no branch here, so there is nothing to discard.`,
    'saga recover shows what was in flight.',
  );
}
