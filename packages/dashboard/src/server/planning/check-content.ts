import { judgeDraft } from '@saga-ai/core/lint/judge-draft';
import { writePlan } from '@saga-ai/core/plan-text/write-plan';
import type { CheckAnswer } from '@saga-ai/types/screens/planning';
import type { ActionContext } from '../actions/action-context.ts';
import { readContent, readText } from './read-draft-request.ts';

/** Says what is wrong with a draft and what could be better. Writes nothing. */
export async function checkContent(
  { paths, env }: ActionContext,
  body: unknown,
): Promise<CheckAnswer> {
  const content = readContent(body);
  const { draft, ...judged } = await judgeDraft(paths, env, content, readText(body, 'item'));
  const markdown = draft ? ('text' in content ? content.text : writePlan(draft)) : null;
  return { ...judged, plan: draft ?? null, markdown, isPlain: !draft || isPlain(draft) };
}

/** The pages remove changes of the text direction from all that they receive. */
const isPlain = (draft: object) => !/[\u202a-\u202e\u2066-\u2069]/.test(JSON.stringify(draft));
