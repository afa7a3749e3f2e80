import type { Advice } from '@saga-ai/types/plan/advice';
import { EpicDraft, isEpicDraft, StoryDraft } from '@saga-ai/types/plan/draft';
import type { DraftAdvice, DraftContent, DraftProblem } from '@saga-ai/types/screens/planning';
import type { Problem } from '@saga-ai/types/words/problem';
import { checkDraft } from '../authoring/create.ts';
import { findLine } from '../authoring/parse-draft.ts';
import { checkEdit, openPlanDocument } from '../authoring/plan-document.ts';
import { readDraft } from '../authoring/read-draft.ts';
import { SagaError } from '../errors.ts';
import { type PlanText, readPlan } from '../plan-text/read-plan.ts';
import type { Environment } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import { adviseOnDraft } from './advise-on-draft.ts';

export interface JudgedDraft {
  problems: DraftProblem[];
  /** Fields that SAGA does not know. They are kept. */
  notes: DraftProblem[];
  advice: DraftAdvice[];
  /** The draft as data; undefined if the text cannot be read as a plan. */
  draft?: EpicDraft | StoryDraft;
}

/**
 * Judges a draft while a person writes it. Returns what `saga create` would refuse (or `saga edit --markdown`, for an
 * item that exists) and what `saga check --plan` would advise. Writes nothing.
 */
export async function judgeDraft(
  paths: Paths,
  env: Environment,
  content: DraftContent,
  item?: string,
): Promise<JudgedDraft> {
  const read = 'text' in content ? readPlan(content.text) : undefined;
  if (read && read.slips.length > 0) {
    const slips = read.slips.toSorted((a, b) => a.line - b.line);
    const problems = slips.map((it) => ({ ...it, message: toSentence(it.message) }));
    return { problems, notes: [], advice: [] };
  }
  const input = read ? read.draft : (content as { plan: unknown }).plan;
  const result = readDraft(input);
  const draft = parse(input);
  const problems = 'problems' in result ? result.problems : await findMisfits(paths, input, item);
  const advice = 'problems' in result ? [] : adviseOnDraft(paths, env, result.files);
  return {
    problems: problems.map((it) => place(it, read)),
    notes: 'unknown' in result ? result.unknown.map((it) => place(it, read)) : [],
    advice: advice.map((it) => ({
      ...it,
      ...(draft ? findField(draft, it) : {}),
      line: read ? findAdvised(read, it) : undefined,
    })),
    draft,
  };
}

/** Returns undefined for a draft that does not fit its schema. */
function parse(input: unknown): EpicDraft | StoryDraft | undefined {
  const result = (isEpicDraft(input) ? EpicDraft : StoryDraft).safeParse(input);
  return result.success ? result.data : undefined;
}

const toSentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

/** Finds parts of the draft that do not fit into the project, or that an edit may not change. */
async function findMisfits(
  paths: Paths,
  input: unknown,
  item: string | undefined,
): Promise<readonly Problem[]> {
  const locate = (problem: Problem) => problem;
  try {
    if (item === undefined) await checkDraft(paths, input, locate);
    else await checkEdit(paths, await openPlanDocument(paths, item), { input, locate });
    return [];
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    const { code, message, hint, problems } = error;
    return problems.length > 0 ? problems : [{ code, message, hint }];
  }
}

function place(problem: Problem, read: PlanText | undefined): DraftProblem {
  const { message, hint, field } = problem;
  return {
    ...{ message: message.replace(/^The draft is not valid: /, ''), hint },
    field,
    line: read ? findLine(read, problem) : undefined,
  };
}

function findAdvised(read: PlanText, { story, task }: Advice): number {
  return findLine(read, {
    ...{ code: 'invalid-draft', message: '', hint: '' },
    story,
    file: task === undefined ? undefined : `task ${task}`,
  });
}

/** Returns the path, in the draft, of the field that a piece of advice is about. */
function findField(draft: EpicDraft | StoryDraft, { story, task }: Advice): { field?: string } {
  const stories = (isEpicDraft(draft) ? draft.stories : [draft]) as StoryDraft[];
  const at = stories.findIndex(({ id }) => id === story);
  const inside = isEpicDraft(draft) ? [`stories[${at}]`] : [];
  const taskAt = stories[at]?.tasks.findIndex(({ id }) => id === task) ?? -1;
  const field = [...inside, ...(taskAt === -1 ? [] : [`tasks[${taskAt}]`])].join('.') || 'title';
  return at === -1 ? {} : { field };
}
