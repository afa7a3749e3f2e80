import type { Problem } from '@saga-ai/types/problem';
import type { LiveProject } from './live-project.ts';

/** Everything that is wrong, in the plan and beside it. */
export function findProblems({ overview, sessions }: LiveProject): Problem[] {
  return [...overview.problems, ...sessions.problems()];
}
