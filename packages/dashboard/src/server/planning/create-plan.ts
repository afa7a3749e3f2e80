import { createFromDraft } from '@saga-ai/core/authoring/create';
import { listTemplates, loadTemplate } from '@saga-ai/core/authoring/templates';
import type { Paths } from '@saga-ai/core/project/paths';
import { USUAL_USD } from '@saga-ai/core/shaper/usual-limit';
import { listVerify } from '@saga-ai/core/trust/list-parts';
import { agreeToOwn } from '@saga-ai/core/trust/trust-record';
import type { CreateAnswer, NewPlanAnswer } from '@saga-ai/types/screens/planning';
import { count } from '@saga-ai/types/words/amounts';
import type { ActionContext } from '../actions/action-context.ts';
import { parseContent } from './parse-content.ts';
import { markOf } from './plan-document.ts';
import { readContent } from './read-draft-request.ts';

/** Returns what a new draft can begin with. */
export function buildNewPlan(paths: Paths): NewPlanAnswer {
  const templates = listTemplates(paths).map((name) => ({
    name,
    text: loadTemplate(paths, name, 'page'),
  }));
  return { project: markOf(paths), templates, usualUsd: USUAL_USD };
}

/** Creates what a draft describes, by the same steps as `saga create`: all of it or nothing. */
export async function createPlan(
  { paths, env }: ActionContext,
  body: unknown,
): Promise<CreateAnswer> {
  const { input, locate } = await parseContent(readContent(body));
  const { epic, stories, tasks } = await createFromDraft(paths, input, locate);
  // The person who creates the plan has seen the verify commands in it.
  const own = stories.flatMap((id) => listVerify(paths, id));
  await agreeToOwn(paths, own, env);
  const made = `${count(stories.length, 'story', 'stories')}, ${count(tasks, 'task', 'tasks')}`;
  return {
    epic,
    stories,
    message:
      epic === undefined ? `Created ${stories[0]}: ${made}.` : `Created epic ${epic}: ${made}.`,
    hint: 'Commit it: git add .saga && git commit',
  };
}
