import { storyPath } from '@saga-ai/types/plan/plan-paths';
import type { StoryView } from '@saga-ai/types/screens/overview';

const STATES: readonly StoryView['state'][] = ['running', 'in review', 'interrupted', 'done'];

/**
 * Finds the stories that are begun: a worker works or worked on them, they have a worktree or a branch, or a task was
 * started. Their work is judged by their plan, so a revision does not change it.
 */
export function findBegun(stories: readonly StoryView[]): Set<string> {
  return new Set(stories.filter(hasBegun).map(({ id }) => id));
}

function hasBegun(story: StoryView): boolean {
  const { id, status, state, running, ended, branch, home } = story;
  return (
    STATES.includes(state) ||
    status !== 'pending' ||
    running ||
    ended !== null ||
    branch !== null ||
    home !== storyPath(id)
  );
}
