import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import type { Problem } from '@saga-ai/types/words/problem';

/** Returns all problems, in the plan and in other files. */
export function findProblems({ overview, sessions }: LiveProject): Problem[] {
  return [...overview.problems, ...sessions.problems()];
}
