import type { Epic } from '@saga-ai/types/plan/epic';
import type { Story } from '@saga-ai/types/plan/story';
import type { Task } from '@saga-ai/types/plan/task';

export interface LintedStory {
  story: Story;
  tasks: readonly Task[];
}

/** The parts of a plan that the rules of `saga check --plan` read. */
export interface LintedPlan {
  stories: readonly LintedStory[];
  epics: readonly Epic[];
  /** The verify command of the project. */
  verify: string | null;
}

/** Whether all tasks of a story are completed: then advice comes too late. */
export const isOver = ({ tasks }: LintedStory): boolean =>
  tasks.length > 0 && tasks.every(({ status }) => status === 'completed');
