import { createInterface } from 'node:readline/promises';
import { type Created, createFromDraft } from '@saga-ai/core/authoring/create';
import { createInEditor } from '@saga-ai/core/authoring/write-draft';
import { SagaError } from '@saga-ai/core/errors';
import { writePlan } from '@saga-ai/core/plan-text/write-plan';
import { type ShapedPlan, shapePlan } from '@saga-ai/core/shaper/shape-plan';
import { USUAL_USD } from '@saga-ai/core/shaper/usual-limit';
import { listVerify } from '@saga-ai/core/trust/list-parts';
import { agreeToOwn } from '@saga-ai/core/trust/trust-record';
import { toJsonSchema } from '@saga-ai/types/json-schema';
import type { PlanJson } from '@saga-ai/types/screens/json/plan';
import { count } from '@saga-ai/types/words/amounts';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { formatAdviceOnPlan } from '../../output/findings.ts';
import { createPassingLine } from '../../output/passing-line.ts';
import { readInput } from '../../standard-input.ts';
import { canAsk } from '../../trust/settle-trust.ts';

export const command: Command<PlanJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.PlanJson),
  args: [{ name: 'goal', help: 'what to plan, in words' }],
  about: `Lets Claude Code read this repository, with tools that only read, and propose an epic. What saga create
would refuse and what saga check --plan would advise goes back to it, at most three times. Then the plan is shown, and
you are asked: y creates it, e opens it in your editor, anything else creates nothing.

Without a terminal nothing is created: the plan is printed as Markdown, for saga create. --yes creates it at once.`,
  options: {
    file: {
      type: 'text',
      short: 'f',
      value: 'FILE',
      help: 'a document with the goal; - for standard input',
    },
    'max-usd': { type: 'text', value: 'USD', help: `the most it may cost (default: ${USUAL_USD})` },
    yes: { type: 'boolean', short: 'y', help: 'create the plan without asking' },
  },
  examples: [
    'saga plan "People can reset their password by mail"',
    'saga plan --file requirements.md',
    'saga plan --file requirements.md > plan.md',
  ],
  async run(invocation) {
    const { paths, out, flag } = invocation;
    const goal = readGoal(invocation);
    const passing = createPassingLine(out);
    passing.show('Claude Code reads the repository');
    const shaped = await shapePlan({
      ...{ paths: paths(), env: environment.handedOver(), goal },
      agentHome: environment.claudeConfig(),
      schema: toJsonSchema('epic-draft'),
      maxUsd: readLimit(invocation),
      stop: environment.stopSignal(),
      onStep: (text) => passing.show(text),
    }).finally(() => passing[Symbol.dispose]());
    const markdown = writePlan(shaped.draft);
    const choice = flag('yes') ? 'y' : canAsk(out) ? await ask(shaped, markdown, out) : 'n';
    const created = await create(invocation, choice, shaped, markdown);
    if (out.json) {
      const { costUsd, rounds, advice } = shaped;
      const made = created ? withoutUnknown(created) : null;
      return void out.value({ markdown, created: made, advice, rounds, costUsd });
    }
    if (created) out.lines([describeCreated(created, out.paint('done', '✓'))]);
    else if (!canAsk(out)) out.lines(markdown.replace(/\n$/, '').split('\n'));
    else if (choice === 'e')
      out.lines(['Nothing was created: the text is unchanged. y creates it as it is.']);
    else out.lines(['Nothing was created.']);
    return 0;
  },
};

function withoutUnknown({ epic, stories, tasks }: Created) {
  return { ...(epic === undefined ? {} : { epic }), stories, tasks };
}

function describeCreated({ epic, stories, tasks }: Created, glyph: string): string {
  const made = `${count(stories.length, 'story', 'stories')}, ${count(tasks, 'task', 'tasks')}`;
  return `${glyph} epic ${epic}: ${made}   Look at it: saga show ${epic}`;
}

function readGoal({ args, text }: Invocation<PlanJson>): string {
  const file = text('file');
  const goal = args[0] ?? (file === undefined ? '' : readInput(file));
  if (goal.trim() !== '') return goal;
  throw new SagaError(
    'usage',
    'saga plan needs a goal.',
    'saga plan "…", or saga plan --file FILE',
  );
}

function readLimit({ text }: Invocation<PlanJson>): number {
  const given = text('max-usd');
  const limit = given === undefined ? USUAL_USD : Number(given);
  if (limit > 0 && Number.isFinite(limit)) return limit;
  throw new SagaError('usage', `--max-usd ${given} is not an amount.`, 'Such as --max-usd 2.50');
}

/** Shows the plan and asks what to do with it. */
async function ask(
  shaped: ShapedPlan,
  markdown: string,
  out: Invocation<PlanJson>['out'],
): Promise<string> {
  const { advice, costUsd, rounds } = shaped;
  out.lines([
    ...markdown.replace(/\n$/, '').split('\n'),
    '',
    ...formatAdviceOnPlan(advice, out),
    `${count(rounds, 'round')}, $${costUsd.toFixed(2)}`,
  ]);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question('Create it? [y/e/N] '), closed]);
  terminal.close();
  return answer.trim().toLowerCase().slice(0, 1);
}

async function create(
  { paths }: Invocation<PlanJson>,
  choice: string,
  { draft }: ShapedPlan,
  markdown: string,
): Promise<Created | undefined> {
  const project = paths();
  const created =
    choice === 'y'
      ? await createFromDraft(project, draft)
      : choice === 'e'
        ? await createInEditor(project, markdown, environment.requireEditor())
        : undefined;
  // Whoever said yes has seen the verify commands; with --yes nobody has.
  if (created && canAsk({ json: false })) {
    const own = created.stories.flatMap((id) => listVerify(project, id));
    await agreeToOwn(project, own, environment.variables());
  }
  return created;
}
