import { setTimeout as sleep } from 'node:timers/promises';
import { SagaError } from '@saga-ai/core/errors';
import type { LandWish } from '@saga-ai/core/landing/context';
import { type Landed, land } from '@saga-ai/core/landing/land';
import { orderLanding } from '@saga-ai/core/landing/land-order';
import { listLandedStories } from '@saga-ai/core/landing/landed-stories';
import { loadItem } from '@saga-ai/core/plan/resolve';
import { displayPath } from '@saga-ai/core/project/display-path';
import type { LandJson } from '@saga-ai/types/screens/json/review';
import type { LandPlan } from '@saga-ai/types/screens/review/review';
import { count } from '@saga-ai/types/words/amounts';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { wrap } from '../../output/text.ts';
import { askYesOrNo, canAsk, settleTrust, TRUST_OPTION } from '../../trust/settle-trust.ts';
import { describeWorkerProcess } from '../../worker-process.ts';

const WAIT_MINUTES = 60;

export const command: Command<LandJson> = {
  output: () => import('@saga-ai/types/screens/json/review').then((it) => it.LandJson),
  args: [{ name: 'item', help: 'a story or an epic', required: true, complete: 'item' }],
  options: {
    yes: { type: 'boolean', short: 'y', help: 'do not ask; needed without a terminal' },
    local: { type: 'boolean', help: 'merge on this machine, also if there is a pull request' },
    keep: { type: 'boolean', help: 'keep the worktree and the branch' },
    wait: {
      type: 'text',
      value: 'MINUTES',
      help: `how long to wait for the checks of a pull request (${WAIT_MINUTES})`,
    },
    ...TRUST_OPTION,
  },
  about: `Merges a story or an epic, after you agreed. The gate must have passed for exactly the commit that is
merged; otherwise the command says what is missing.

With a pull request GitHub merges it, by pullRequest.mergeMethod and the rules of the repository; the command waits
for checks and for a merge queue. If the time is up and the repository allows it, GitHub merges by itself later.
Without a pull request the merge is made here: the merged files are verified, the base is moved and pushed, never
by force. A conflict or a failed check changes nothing.

Then your main checkout is brought up to date, unless changes that you have not committed are in the way. The
worktree and the branch go into the trash (saga trash).

Exit codes: 0 merged or already merged, 1 not merged, 2 you did not agree or stopped it.`,
  examples: ['saga land cart-api', 'saga land checkout --yes --wait 10'],
  async run(invocation) {
    const { args, paths, out, text } = invocation;
    const id = args[0] ?? '';
    const { kind } = loadItem(paths(), id);
    const minutes = Number(text('wait') ?? WAIT_MINUTES);
    if (!(minutes >= 0)) {
      throw new SagaError('usage', '--wait takes a number of minutes.', 'Such as: --wait 10');
    }
    requireWord(invocation, id);
    const landed = await carryOut(invocation, kind, id, minutes * 60_000);
    if (landed === undefined) return 2;
    if (out.json) out.value(toJson(id, kind, landed));
    else out.lines(describe(invocation, id, landed));
    return 0;
  },
};

/** Without a terminal SAGA cannot ask, so the person must agree on the command line. */
function requireWord({ flag, out }: Invocation<LandJson>, id: string): void {
  if (flag('yes') || canAsk(out)) return;
  throw new SagaError(
    'usage',
    'A merge needs your consent, and there is no terminal to ask at.',
    `To look at it first: saga diff ${id}. To merge it: saga land ${id} --yes`,
  );
}

/** Returns undefined if the person did not agree or stopped the landing. */
async function carryOut(
  invocation: Invocation<LandJson>,
  kind: 'story' | 'epic',
  id: string,
  waitMs: number,
): Promise<Landed | undefined> {
  const { paths, out, flag } = invocation;
  const env = await settleTrust({
    paths: paths(),
    storyIds: listLandedStories(paths(), kind, id),
    env: environment.handedOver(),
    out,
    isGiven: flag('trust'),
  });
  const { tmux: _, tmuxSocket: __, ...own } = describeWorkerProcess(env);
  let isRefused = false;
  const wish: LandWish = {
    isLocal: flag('local'),
    waitMs,
    isKept: flag('keep'),
    async confirm(question) {
      if (!out.json) out.lines(describeQuestion(invocation, question));
      isRefused = !flag('yes') && !(await askYesOrNo('Merge it? [y/N] '));
      return !isRefused;
    },
    tell: (said) => {
      if (!out.json) out.lines([`${out.paint('running', '·')} ${said}`]);
    },
    pause: (ms) => sleep(ms, undefined, { signal: own.stop }),
  };
  try {
    return await land(orderLanding(id, { paths: paths(), kind, ...own, wish }));
  } catch (error) {
    if (!isRefused && !own.stop.aborted) throw error;
    if (!out.json) out.lines([`${id} was not merged.`]);
    return undefined;
  }
}

function describeQuestion({ out }: Invocation<LandJson>, it: LandPlan): string[] {
  const size = `${count(it.files, 'file')}, +${it.added} −${it.removed}`;
  const how = it.pullRequest
    ? `by pull request #${it.pullRequest.number} (${it.pullRequest.method})`
    : it.pushedTo === undefined
      ? 'on this machine'
      : `on this machine, pushed to ${it.pushedTo}`;
  return [
    `${out.paint('strong', it.branch)} → ${it.base}, ${how}`,
    `  ${size}, at ${it.tip.slice(0, 12)}`,
    ...(it.isUnverified ? ['  ! no verify command tested it; set gate.verify'] : []),
  ];
}

function describe({ out, paths }: Invocation<LandJson>, id: string, landed: Landed): string[] {
  const { result, base, commit, pullRequest, forwarded, tidied } = landed;
  const done = out.paint('done', '✓');
  if (result === 'later') {
    return [
      `${done} ${id}  GitHub merges #${pullRequest?.number} as soon as its rules allow it`,
      `  → then, to tidy up: saga land ${id}`,
    ];
  }
  const what = result === 'already' ? 'was merged before' : 'merged';
  const by = pullRequest ? ` by #${pullRequest.number}` : '';
  const lines = [`${done} ${id}  ${what} into ${base}${by} (${commit.slice(0, 12)})`];
  if (landed.verified === 'verify') lines.push('  the merged files were verified again');
  if (landed.verified === 'none') lines.push('  nothing was verified: set gate.verify');
  if (forwarded?.kind === 'left') {
    lines.push(...wrap(`  ${base} stays as it was here: ${forwarded.why}`, out.width));
    const first = forwarded.isDirty ? 'commit them or put them aside, then: ' : '';
    lines.push(`  → to bring it up to date: ${first}${forwarded.command}`);
  }
  for (const folder of tidied?.worktrees ?? []) {
    lines.push(`  removed ${displayPath(paths().root, folder)}`);
  }
  for (const ref of tidied?.kept ?? []) lines.push(`  kept in ${ref}`);
  for (const why of tidied?.left ?? []) lines.push(...wrap(`  stays: ${why}`, out.width));
  return lines;
}

function toJson(item: string, kind: 'story' | 'epic', landed: Landed): LandJson {
  const { result, by = null, base, commit, pullRequest, verified = null } = landed;
  return {
    item,
    kind,
    result,
    by,
    base,
    commit,
    pullRequest: pullRequest?.url ?? null,
    verified,
    checkout: landed.forwarded?.kind ?? 'untouched',
    removedWorktrees: landed.tidied?.worktrees ?? [],
    kept: landed.tidied?.kept ?? [],
    left: landed.tidied?.left ?? [],
  };
}
