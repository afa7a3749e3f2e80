import { type Created, createFromDraft } from '@saga-ai/core/authoring/create';
import { createInEditor } from '@saga-ai/core/authoring/write-draft';
import { writePlan } from '@saga-ai/core/plan-text/write-plan';
import type { Paths } from '@saga-ai/core/project/paths';
import type { ExpectedCost } from '@saga-ai/core/shaper/expect-cost';
import { loadExpectedCost } from '@saga-ai/core/shaper/load-expected-cost';
import { type ShapedPlan, shapePlan } from '@saga-ai/core/shaper/shape-plan';
import { listVerify } from '@saga-ai/core/trust/list-parts';
import { agreeToOwn } from '@saga-ai/core/trust/trust-record';
import { toJsonSchema } from '@saga-ai/types/json-schema';
import type { PlanJson } from '@saga-ai/types/screens/json/plan';
import { count, formatUsd } from '@saga-ai/types/words/amounts';
import type { Invocation } from '../command.ts';
import { environment } from '../environment.ts';
import { formatAdviceOnPlan } from '../output/findings.ts';
import type { Output } from '../output/output.ts';
import { canAsk } from '../trust/settle-trust.ts';
import { askChoice } from './ask-choice.ts';
import { countTasks, formatPlan } from './plan-lines.ts';
import { withShaper } from './shaper-setup.ts';

/** What is to be planned, and the address of the issue that it comes from. */
export interface Goal {
  text: string;
  issue?: string;
}

/** Lets a Shaper propose an epic, shows it, and creates it if the person agrees. */
export async function proposeEpic(
  invocation: Invocation<PlanJson>,
  readGoal: () => Goal | Promise<Goal>,
): Promise<undefined> {
  const { paths, out, flag } = invocation;
  const { text: goal, issue } = await readGoal();
  const shaped = await withShaper(invocation, (setup) =>
    shapePlan({ ...setup, goal, schema: toJsonSchema('epic-draft') }),
  );
  const draft = { ...shaped.draft, ...(issue === undefined ? {} : { issue }) };
  const plan = { ...shaped, draft };
  const markdown = writePlan(draft);
  const expected = loadExpectedCost(paths(), countTasks(draft));
  const choice = flag('yes') ? 'y' : canAsk(out) ? await ask(plan, expected, markdown, out) : 'n';
  const created = await create(paths(), choice, plan, markdown);
  if (out.json) {
    const { costUsd, rounds, advice } = shaped;
    const made = created ? withoutUnknown(created) : null;
    const estimate = expected ?? null;
    return void out.value({ markdown, created: made, estimate, advice, rounds, costUsd });
  }
  if (created) out.lines([describeCreated(created, out.paint('done', '✓'))]);
  else if (!canAsk(out)) out.lines(markdown.replace(/\n$/, '').split('\n'));
  else if (choice === 'e')
    out.lines(['Nothing was created: the text is unchanged. y creates it as it is.']);
  else out.lines(['Nothing was created.']);
}

function withoutUnknown({ epic, stories, tasks }: Created) {
  return { epic, stories, tasks };
}

function describeCreated({ epic, stories, tasks }: Created, glyph: string): string {
  const made = `${count(stories.length, 'story', 'stories')}, ${count(tasks, 'task', 'tasks')}`;
  return `${glyph} epic ${epic}: ${made}   Look at it: saga show ${epic}`;
}

/** Shows the plan in full, then at a glance, and asks what to do with it. */
async function ask(
  shaped: ShapedPlan,
  expected: ExpectedCost | undefined,
  markdown: string,
  out: Output,
): Promise<string> {
  const { draft, advice, costUsd, rounds } = shaped;
  out.lines([
    ...markdown.replace(/\n$/, '').split('\n'),
    '',
    ...formatPlan(draft, expected, out),
    ...formatAdviceOnPlan(advice, out),
    out.paint(
      'quiet',
      `To propose it, Claude Code answered ${times(rounds)}: ${formatUsd(costUsd)}`,
    ),
  ]);
  return askChoice('Create it? y yes, e open it in your editor, N no: ');
}

export const times = (rounds: number): string => (rounds === 1 ? 'once' : `${rounds} times`);

async function create(
  paths: Paths,
  choice: string,
  { draft }: ShapedPlan,
  markdown: string,
): Promise<Created | undefined> {
  const created =
    choice === 'y'
      ? await createFromDraft(paths, draft)
      : choice === 'e'
        ? await createInEditor(paths, markdown, environment.requireEditor())
        : undefined;
  // A person who said yes has seen the verify commands. With --yes, no person has seen them.
  if (created && canAsk({ json: false })) {
    const own = created.stories.flatMap((id) => listVerify(paths, id));
    await agreeToOwn(paths, own, environment.variables());
  }
  return created;
}
