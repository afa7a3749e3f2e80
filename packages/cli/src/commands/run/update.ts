import { describeNextRun } from '@saga-ai/core/epic/look/describe-resume';
import { SagaError } from '@saga-ai/core/errors';
import { loadItem } from '@saga-ai/core/plan/resolve';
import { loadStory } from '@saga-ai/core/plan/stories';
import { displayPath } from '@saga-ai/core/project/display-path';
import { quote } from '@saga-ai/core/project/quote';
import { findStoryWorktree } from '@saga-ai/core/project/story-worktrees';
import { updateNow } from '@saga-ai/core/update/update-now';
import type { Updated } from '@saga-ai/core/update/update-story';
import type { PlanChange } from '@saga-ai/core/worker/base/merge-plans';
import { describeStep } from '@saga-ai/types/screens/describe-step';
import type { UpdateJson } from '@saga-ai/types/screens/json/update';
import { count } from '@saga-ai/types/words/amounts';
import { formatStoryBranch } from '@saga-ai/types/words/names';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { wrap } from '../../output/text.ts';

export const command: Command<UpdateJson> = {
  output: () => import('@saga-ai/types/screens/json/update').then((it) => it.UpdateJson),
  args: [{ name: 'story', help: 'a story', required: true, complete: 'story' }],
  options: {
    'plan-only': { type: 'boolean', help: 'take the edited plan, but do not merge the base' },
    'base-only': { type: 'boolean', help: 'merge the base, but do not take the edited plan' },
  },
  about: `Brings the worktree of a story up to date. First it takes the plan as you edited it in the main
checkout: statuses stay, new tasks are pending, and removed tasks go. Then it merges the base, such as main,
into the story's branch. A story that has only a branch, such as after saga clean, gets a worktree first. If
both sides changed the same lines, nothing is merged; the command names the files and writes into the journal
that the next run brings both sides together. Everything is committed on the story's branch, so git keeps what
was there before. No model is used.

Exit codes: 0 up to date, 1 error, 3 the base conflicts: a run or you must merge it.`,
  examples: ['saga update cart-api', 'saga update cart-api --plan-only'],
  async run(invocation) {
    const { args, paths, out, flag } = invocation;
    const storyId = args[0] ?? '';
    if (flag('plan-only') && flag('base-only')) {
      throw new SagaError('usage', '--plan-only and --base-only exclude each other.', 'Give one.');
    }
    if (loadItem(paths(), storyId).kind === 'epic') {
      throw new SagaError(
        'usage',
        `${storyId} is an epic; saga update takes a story.`,
        'Name one.',
      );
    }
    const updated = await update(invocation, storyId);
    if (out.json) out.value(toJson(storyId, updated));
    else out.lines(describe(invocation, storyId, updated));
    const { taken } = updated ?? {};
    return taken?.kind === 'conflict' || taken?.kind === 'refused' ? 3 : 0;
  },
};

function update(
  { paths, flag, out }: Invocation<UpdateJson>,
  storyId: string,
): Promise<Updated | undefined> {
  return updateNow({
    paths: paths(),
    storyId,
    env: environment.handedOver(),
    userId: environment.userId(),
    stop: environment.stopSignal(),
    parts: { plan: !flag('base-only'), base: !flag('plan-only'), tellsRun: true },
    listen: (event) => {
      const step = describeStep(event);
      if (out.json || !step) return;
      out.lines([`${out.paint(step.tone, step.glyph)} ${step.head}  ${step.text}`]);
    },
  });
}

function describe(
  { paths, out }: Invocation<UpdateJson>,
  storyId: string,
  updated: Updated | undefined,
): string[] {
  if (!updated) {
    return [`${storyId} has no open work, so the plan in the main checkout counts. Nothing to do.`];
  }
  const { plan, taken, base, keptIn } = updated;
  const done = out.paint('done', '✓');
  const fit = (text: string, indent: string) =>
    wrap(text, Math.min(out.width, 100) - indent.length).map((line) => `${indent}${line}`);
  const folder = findStoryWorktree(paths(), storyId)?.folder ?? '';
  const next = (purpose: string) => {
    const { journal } = loadStory(paths(), storyId);
    return describeNextRun(paths(), storyId, { journal, purpose }).map((it) => `  → ${it}`);
  };
  const lines: string[] = [];
  if (plan?.kind === 'current') lines.push(`${done} plan  has nothing new in the main checkout`);
  if (plan?.kind === 'taken') {
    lines.push(`${done} plan  taken from the main checkout`, ...listChanges(plan.changes));
    for (const it of plan.disputed) {
      lines.push(...fit(`${it}: changed here too; the main checkout's value was taken`, '    '));
    }
    if (plan.droppedEvidence) lines.push('    the gate must pass again for this plan');
  }
  if (taken?.kind === 'current') lines.push(`${done} base  has all of ${base}`);
  if (taken?.kind === 'merged') {
    lines.push(
      `${done} base  merged ${count(taken.commits, 'commit')} of ${base}`,
      ...listChanges(taken.changes),
    );
    for (const it of taken.disputed) {
      lines.push(...fit(`${it}: ${base} says something else; the value here stays`, '    '));
    }
  }
  if (taken?.kind === 'conflict' || taken?.kind === 'refused') {
    const at = `git -C ${quote(displayPath(paths().root, folder))}`;
    const branch = formatStoryBranch(storyId);
    const failed = out.paint('needs-you', '!');
    lines.push(`${failed} base  not merged: ${count(taken.commits, 'commit')} of ${base}`);
    if (taken.kind === 'conflict') {
      lines.push(...fit(`changed in ${base} and in ${branch}:`, '    '));
      lines.push(...taken.files.map((file) => `      ${file}`));
    } else lines.push(...fit(taken.reason, '    '));
    const byHand = `${at} merge ${formatBase(updated)}`;
    lines.push(`  Nothing was merged. To merge by hand: ${byHand}`);
    if (updated.told === 'told') {
      return [...lines, ...next('to have a run merge it, which is told so')];
    }
    if (updated.told === 'asked') {
      lines.push(`  A run could not merge it. → to say how: saga resolve ${storyId}`);
      return lines;
    }
  }
  if (keptIn !== undefined) lines.push(...fit(`uncommitted changes are also in ${keptIn}`, '  '));
  return [...lines, ...next('to go on')];
}

/** Names the commit of the base as well, because a local branch with the name of the base may be older. */
const formatBase = ({ base, commit }: Updated): string => commit.slice(0, 12) || base;

function listChanges(changes: readonly PlanChange[]): string[] {
  return changes.map(({ file, kind, fields }) => {
    const what = { changed: fields.join(', '), added: 'new, pending', removed: 'removed' }[kind];
    return `    ${file}  ${what}`;
  });
}

function toJson(story: string, updated: Updated | undefined): UpdateJson {
  const { plan, taken, base = '', keptIn = null } = updated ?? {};
  const none = { changes: [], disputed: [] };
  return {
    story,
    hasWorktree: updated !== undefined,
    plan: plan
      ? plan.kind === 'taken'
        ? {
            result: 'taken',
            changes: plan.changes,
            disputed: plan.disputed,
            droppedEvidence: plan.droppedEvidence,
          }
        : { result: 'current', ...none, droppedEvidence: false }
      : null,
    base: taken
      ? {
          branch: base,
          result: taken.kind,
          commits: taken.kind === 'current' ? 0 : taken.commits,
          files: taken.kind === 'conflict' ? taken.files : [],
          reason: taken.kind === 'refused' ? taken.reason : null,
          told: updated?.told ?? null,
          ...none,
          ...(taken.kind === 'merged' ? { changes: taken.changes, disputed: taken.disputed } : {}),
        }
      : null,
    keptIn,
  };
}
