import { FORMATS, findOldPlans } from '@saga-ai/core/migrate/formats';
import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import type { ProblemsAnswer } from '@saga-ai/types/screens/dashboard';
import type { Problem } from '@saga-ai/types/words/problem';

/** Returns all problems, in the plan and in other files. */
export function findProblems({ overview, sessions }: LiveProject): Problem[] {
  return [...overview.problems, ...sessions.problems()];
}

/** All problems, and plans in older formats. Looks at names of files only. */
export function buildProblems(project: LiveProject): ProblemsAnswer {
  const oldPlans = findOldPlans(project.paths).map((it) => ({ ...it, about: FORMATS[it.format] }));
  return { problems: findProblems(project), oldPlans };
}
