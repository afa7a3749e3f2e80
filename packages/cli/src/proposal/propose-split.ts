import { diffTexts } from '@saga-ai/core/shaper/diff-texts';
import { applySplit, splitByHand } from '@saga-ai/core/shaper/split-by-hand';
import type { PlanJson } from '@saga-ai/types/screens/json/plan';
import { formatUsd } from '@saga-ai/types/words/amounts';
import type { Invocation } from '../command.ts';
import { environment } from '../environment.ts';
import { canAsk } from '../trust/settle-trust.ts';
import { askChoice } from './ask-choice.ts';
import { formatDiff } from './diff-lines.ts';
import { times } from './propose-epic.ts';
import { keepTasksOf, withShaper } from './shaper-setup.ts';

/** Lets a Shaper split a task, shows the story before and after, and changes it if the person agrees. */
export async function proposeSplit(
  invocation: Invocation<PlanJson>,
  place: { storyId: string; taskId: string },
  wish: string,
): Promise<number> {
  const { paths, out, flag } = invocation;
  const { storyId, taskId } = place;
  const { value: split, ...rest } = await withShaper(invocation, (setup) =>
    splitByHand({ ...setup, ...place, wish }),
  );
  const diff = await diffTexts(split.before, split.after, environment.handedOver());
  if (!out.json) {
    out.lines([
      ...formatDiff(diff, out),
      '',
      `${storyId}/${taskId} becomes ${split.parts.join(', ')}.`,
      out.paint('quiet', `Claude Code answered ${times(rest.rounds)}: ${formatUsd(rest.costUsd)}`),
    ]);
  }
  const isWanted =
    flag('yes') || (canAsk(out) && (await askChoice('Split it? y yes, N no: ')) === 'y');
  if (isWanted) await applySplit(paths(), split, keepTasksOf(invocation, storyId));
  if (out.json) {
    const named = { story: storyId, task: taskId, into: split.parts };
    out.value({ ...named, diff, applied: isWanted, ...rest });
  } else if (isWanted) {
    out.lines([`${out.paint('done', '✓')} split   Look at it: saga show ${storyId}`]);
  } else out.lines(['Nothing was changed.', ...(canAsk(out) ? [] : ['To split it: add --yes'])]);
  return 0;
}
