import { describeStaged } from '@saga-ai/core/authoring/place-edit';
import type { StagedFiles } from '@saga-ai/core/plan/staging';
import type { Paths } from '@saga-ai/core/project/paths';
import { diffTexts } from '@saga-ai/core/shaper/diff-texts';
import { applyRevision, revisePlan } from '@saga-ai/core/shaper/revise-plan';
import { listVerify } from '@saga-ai/core/trust/list-parts';
import { agreeToOwn } from '@saga-ai/core/trust/trust-record';
import { toJsonSchema } from '@saga-ai/types/json-schema';
import type { PlanJson } from '@saga-ai/types/screens/json/plan';
import { formatUsd } from '@saga-ai/types/words/amounts';
import type { Invocation } from '../command.ts';
import { environment } from '../environment.ts';
import { formatAdviceOnPlan } from '../output/findings.ts';
import { canAsk } from '../trust/settle-trust.ts';
import { askChoice } from './ask-choice.ts';
import { formatDiff } from './diff-lines.ts';
import { times } from './propose-epic.ts';
import { keepTasksOf, withShaper } from './shaper-setup.ts';

/** Lets a Shaper propose a change of an epic, shows it as a diff, and makes it if the person agrees. */
export async function proposeRevision(
  invocation: Invocation<PlanJson>,
  epicId: string,
  wish: string,
): Promise<number> {
  const { paths, out, flag } = invocation;
  const env = environment.handedOver();
  const agreed = await withShaper(invocation, (setup) =>
    revisePlan({ ...setup, epicId, wish, schema: toJsonSchema('epic-draft') }),
  );
  const { value: revision, ...rest } = agreed;
  const diff = await diffTexts(revision.before, revision.after, env);
  const isAsked = !flag('yes') && canAsk(out);
  if (!out.json) {
    out.lines([
      ...(diff === '' ? [] : [...formatDiff(diff, out), '']),
      ...formatAdviceOnPlan(rest.advice, out),
      ...revision.removes.map((id) => `${out.paint('waiting', '!')} ${id} goes into the trash.`),
      out.paint('quiet', `Claude Code answered ${times(rest.rounds)}: ${formatUsd(rest.costUsd)}`),
    ]);
  }
  const isNothing = diff === '' && revision.removes.length === 0;
  const isWanted =
    !isNothing &&
    (flag('yes') || (isAsked && (await askChoice('Change the plan? y yes, N no: ')) === 'y'));
  if (isWanted) {
    await applyRevision(paths(), env, revision, keepTasksOf(invocation, epicId));
    if (isAsked) await agreeToNew(paths(), revision.staged);
  }
  const { staged, removes } = revision;
  const created = staged.stories.map(({ story }) => story.id);
  const files = describeStaged(staged);
  if (out.json) {
    out.value({ epic: epicId, diff, applied: isWanted, files, created, removed: removes, ...rest });
    return 0;
  }
  if (isNothing) out.lines(['Claude Code proposes no change.']);
  else if (isWanted) {
    out.lines([
      `${out.paint('done', '✓')} changed ${epicId}`,
      ...files.map((line) => `  ${line}`),
      ...created.map((id) => `  story ${id}: new`),
      ...removes.map(
        (id) => `  story ${id}: in the trash   Bring it back: saga trash restore ${id}`,
      ),
    ]);
  } else out.lines(['Nothing was changed.', ...(canAsk(out) ? [] : ['To change it: add --yes'])]);
  return 0;
}

/** Trusts the new verify commands, which the person who said yes has seen. */
async function agreeToNew(paths: Paths, { stories, changes = [] }: StagedFiles): Promise<void> {
  const verifyOf = (text: string | null) =>
    (JSON.parse(text ?? '{}') as { verify?: string }).verify;
  const changed = changes.filter(
    ({ name, before, after }) => name === 'story' && verifyOf(before) !== verifyOf(after),
  );
  const ids = [...stories.map(({ story }) => story.id), ...changed.map(({ story }) => story)];
  const own = ids.flatMap((id) => listVerify(paths, id));
  await agreeToOwn(paths, own, environment.variables());
}
