import type { Advice } from '@saga-ai/types/plan/advice';
import { EpicDraft } from '@saga-ai/types/plan/draft';
import type { Problem } from '@saga-ai/types/words/problem';
import { checkDraft } from '../authoring/create.ts';
import { type DraftFiles, readDraft } from '../authoring/read-draft.ts';
import { SagaError } from '../errors.ts';
import { lintPlan } from '../lint/lint-plan.ts';
import { loadConfig } from '../plan/config.ts';
import { listIds } from '../plan/list-ids.ts';
import type { ShaperSetup } from './ask-shaper.ts';
import { converse, type Judged } from './converse.ts';
import { keepIssues } from './keep-issues.ts';
import { buildPlanPrompt } from './shaper-prompt.ts';

export interface ShapeRequest extends ShaperSetup {
  goal: string;
  /** The schema of an epic draft, as JSON Schema. */
  schema: object;
}

export interface ShapedPlan {
  draft: EpicDraft;
  advice: Advice[];
  rounds: number;
  costUsd: number;
}

/**
 * Lets the agent read the repository and propose an epic. The problems of a proposal go back into the same
 * conversation. Writes nothing to the plan.
 */
export async function shapePlan(request: ShapeRequest): Promise<ShapedPlan> {
  const { paths, goal, schema } = request;
  const { value: draft, ...rest } = await converse<EpicDraft>(request, {
    ...{ schema, folder: paths.root },
    prompt: buildPlanPrompt(goal, listIds(paths)),
    judge: (answer) => judge(request, answer),
  });
  return { draft, ...rest };
}

/** Checks a proposal as saga create would, and judges it as saga check --plan would. */
async function judge({ paths, env }: ShapeRequest, value: unknown): Promise<Judged<EpicDraft>> {
  const result = readDraft(value);
  if ('problems' in result) return { problems: result.problems, advice: [] };
  const faults = findFaults(result.files);
  if (faults.length > 0) return { problems: faults, advice: [] };
  try {
    await checkDraft(paths, value, (problem) => problem);
  } catch (error) {
    return { problems: listProblems(error), advice: [] };
  }
  const { config } = loadConfig(paths, { environment: env });
  const { epic, stories } = result.files;
  const advice = lintPlan({ stories, epics: epic ? [epic] : [], verify: config.gate.verify });
  return { value: keepIssues(EpicDraft.parse(value)), problems: [], advice };
}

/**
 * Finds fields that a valid draft may have but a proposal may not, because a proposal describes work that nobody has
 * begun.
 */
export function findFaults({ epic, stories }: DraftFiles): Problem[] {
  if (!epic || stories.length === 0) {
    const hint = 'Answer with an epic that has "stories".';
    return [{ code: 'invalid-draft', message: 'The proposal has no stories.', hint }];
  }
  return stories.flatMap(({ story, tasks }) =>
    tasks
      .filter(({ status }) => status !== 'pending')
      .map(({ id, status }) => ({
        code: 'invalid-draft' as const,
        message: `Task ${story.id}/${id} is ${status} in the proposal.`,
        hint: 'Nobody has begun it: leave "status" out, and leave out tasks that are done already.',
        story: story.id,
      })),
  );
}

/** Lists the problems that an error names. Throws the error if it is not about the plan. */
export function listProblems(error: unknown): Problem[] {
  if (!(error instanceof SagaError)) throw error;
  const { code, message, hint } = error;
  return error.problems.length > 0 ? [...error.problems] : [{ code, message, hint }];
}
