import { SagaError } from '@saga-ai/core/errors';
import { USUAL_USD } from '@saga-ai/core/shaper/usual-limit';
import type { PlanJson } from '@saga-ai/types/screens/json/plan';
import type { Command, Invocation } from '../../command.ts';
import { readItemArguments } from '../../item-arguments.ts';
import { type Goal, proposeEpic } from '../../proposal/propose-epic.ts';
import { proposeRevision } from '../../proposal/propose-revision.ts';
import { proposeSplit } from '../../proposal/propose-split.ts';
import { readIssueGoal } from '../../proposal/read-issue.ts';
import { readInput } from '../../standard-input.ts';

export const command: Command<PlanJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.PlanJson),
  args: [
    { name: 'goal', help: 'what to plan, in words; with --revise, the epic', complete: 'item' },
  ],
  about: `Lets Claude Code read this repository, with tools that only read, and propose an epic. If saga
create would refuse the answer, the problems go back to Claude Code, at most three times; the advice of saga check --plan
goes back once. Then the plan is shown as text, as a tree and as a graph, with its probable cost. You are asked: y
creates it, e opens it in your editor, anything else creates nothing.

--revise changes an epic that exists. Only stories that nobody has begun change; you see the difference first. A story
that the proposal leaves out goes into the trash. --split replaces a task that is too large by smaller tasks.

Without a terminal nothing changes: the proposal is printed. A new plan is printed as Markdown, for saga create. --yes
agrees at once.`,
  options: {
    file: {
      type: 'text',
      short: 'f',
      value: 'FILE',
      help: 'a document with the goal; - for standard input',
    },
    issue: { type: 'text', value: 'NUMBER', help: 'plan what this issue on GitHub asks for' },
    revise: { type: 'text', value: 'WISH', help: 'change an epic: what should be different' },
    split: { type: 'text', value: 'STORY/TASK', help: 'split this task; the goal may say how' },
    'max-usd': { type: 'text', value: 'USD', help: `the most it may cost (default: ${USUAL_USD})` },
    yes: { type: 'boolean', short: 'y', help: 'agree without being asked' },
  },
  examples: [
    'saga plan "People can reset their password by mail"',
    'saga plan --file requirements.md > plan.md',
    'saga plan --issue 12',
    'saga plan checkout --revise "Receipts go out by mail, not by post"',
    'saga plan --split cart-api/endpoints "one task for each endpoint"',
  ],
  async run(invocation) {
    const { args, text } = invocation;
    requireOneWay(invocation);
    const [split, wish] = [text('split'), text('revise')];
    if (split !== undefined) {
      const { id, taskId } = readItemArguments([split]);
      if (taskId) return proposeSplit(invocation, { storyId: id, taskId }, args[0] ?? '');
      throw new SagaError('usage', '--split needs a task.', 'Such as --split cart-api/endpoints');
    }
    if (wish === undefined) return proposeEpic(invocation, () => readGoal(invocation));
    if (args[0] !== undefined && wish.trim() !== '') {
      return proposeRevision(invocation, args[0], wish);
    }
    throw new SagaError(
      'usage',
      'saga plan --revise needs an epic and what should be different.',
      'saga plan checkout --revise "Receipts go out by mail"',
    );
  },
};

function requireOneWay({ text }: Invocation<PlanJson>): void {
  const given = ['file', 'issue', 'revise', 'split'].filter((it) => text(it) !== undefined);
  if (given.length < 2) return;
  const named = given.map((it) => `--${it}`).join(' and ');
  throw new SagaError('usage', `${named} cannot be given together.`, 'Give one of them.');
}

function readGoal(invocation: Invocation<PlanJson>): Goal | Promise<Goal> {
  const { args, text } = invocation;
  const [file, issue] = [text('file'), text('issue')];
  if (issue !== undefined) return readIssueGoal(invocation, issue);
  const goal = args[0] ?? readText(file);
  if (goal.trim() !== '') return { text: goal };
  throw new SagaError(
    'usage',
    'saga plan needs a goal.',
    'saga plan "…", saga plan --file FILE or saga plan --issue NUMBER',
  );
}

/** Returns the text of the file. If no file is named, returns the text that is piped in. */
function readText(file: string | undefined): string {
  if (file !== undefined) return readInput(file);
  return process.stdin.isTTY ? '' : readInput('-');
}
