import { SagaError } from '@saga-ai/core/errors';
import { displayPath } from '@saga-ai/core/project/display-path';
import { discardWork } from '@saga-ai/core/recovery/discard';
import type { RecoveryFacts } from '@saga-ai/core/recovery/facts';
import type { RecoveryPlan } from '@saga-ai/core/recovery/plan';
import type { RecoverJson } from '@saga-ai/types/screens/json/recovery';
import { count } from '@saga-ai/types/words/amounts';
import { askFirst } from '../../ask-first.ts';
import type { Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { describeDiscarded, viewDiscarded } from './describe-discarded.ts';
import { viewPlan } from './view-plan.ts';

/** Puts worktree and branch of one item into the trash, once the person agreed. */
export async function discardOne(
  invocation: Invocation<RecoverJson>,
  facts: RecoveryFacts,
  plan: RecoveryPlan,
  id: string,
): Promise<number> {
  const { paths, out } = invocation;
  const env = environment.handedOver();
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
    out.value(viewPlan(plan, facts.problems, { discarded: viewDiscarded(id, discarded) }));
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
