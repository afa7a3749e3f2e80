import { SagaError } from '@saga-ai/core/errors';
import { openForge } from '@saga-ai/core/forge/forge';
import { GhRefusal } from '@saga-ai/core/forge/gh-refusal';
import type { PlanJson } from '@saga-ai/types/screens/json/plan';
import type { Invocation } from '../command.ts';
import { environment } from '../environment.ts';
import type { Goal } from './propose-epic.ts';

/** The most characters of an issue that a goal takes. */
const MOST_CHARACTERS = 100_000;

/** Reads what an issue asks for. Anybody may have written its text, so a run must not obey it. */
export async function readIssueGoal(
  { paths, args }: Invocation<PlanJson>,
  given: string,
): Promise<Goal> {
  const number = Number(given.replace(/^#/, ''));
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new SagaError('usage', `--issue ${given} is not a number.`, 'Such as --issue 12');
  }
  try {
    const { title, body, url } = await openForge(paths().root, environment.handedOver()).readIssue(
      number,
    );
    const text = `${args[0] === undefined ? '' : `${args[0]}\n\n`}${title}\n\n${body}`;
    return { text: text.slice(0, MOST_CHARACTERS), issue: url };
  } catch (error) {
    if (!(error instanceof GhRefusal)) throw error;
    throw new SagaError(
      'forge-refused',
      `Issue ${number} cannot be read: ${error.message.replace(/\.$/, '')}.`,
      'Nothing was planned. See whether gh works here: gh issue list. Or give the text: saga plan --file FILE',
    );
  }
}
