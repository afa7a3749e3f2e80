import { startEpic } from '@saga-ai/core/epic/start-epic';
import { SagaError } from '@saga-ai/core/errors';
import type { RecoveryFacts } from '@saga-ai/core/recovery/facts';
import type { RecoveryPlan } from '@saga-ai/core/recovery/plan';
import { startWorker } from '@saga-ai/core/sessions/start-worker';
import type { InFlight, RecoverJson } from '@saga-ai/types/screens/json/recovery';
import { count } from '@saga-ai/types/words/amounts';
import { askFirst } from '../../ask-first.ts';
import type { Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { settleTrust } from '../../trust/settle-trust.ts';
import { listStories, loadItems } from '../run/run-epic.ts';
import { viewPlan } from './view-plan.ts';

/** Goes on with one item, or with all that can go on if none is named. */
export async function resumeItems(
  invocation: Invocation<RecoverJson>,
  facts: RecoveryFacts,
  plan: RecoveryPlan,
  id: string | undefined,
): Promise<number> {
  if (id !== undefined) return startAll(invocation, plan, facts.problems, [find(plan, id)]);
  const able = chooseStarts(plan.inFlight.filter(canResume), facts.stories);
  const names = able.map((it) => it.id).join(', ');
  if (able.length > 0) {
    const what = `This starts ${count(able.length, 'worker')}: ${names}.`;
    await askFirst(invocation, [what], 'Start them?');
  }
  return startAll(invocation, plan, facts.problems, able);
}

const canResume = ({ next }: InFlight) => next.kind === 'resume';

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

/** Starts each worker. If one cannot be started, the others are started all the same. */
async function startAll(
  invocation: Invocation<RecoverJson>,
  plan: RecoveryPlan,
  problems: RecoveryFacts['problems'],
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
  if (out.json) out.value(viewPlan(plan, problems, { resumed }));
  return resumed.some(({ error }) => error !== null) ? 1 : 0;
}

async function start(
  { paths, out, flag }: Invocation<RecoverJson>,
  { id, kind }: InFlight,
): Promise<string> {
  const env = await settleTrust({
    paths: paths(),
    storyIds: kind === 'story' ? [id] : listStories(loadItems(paths(), id)),
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
