import { storyPath } from '@saga-ai/types/plan/plan-paths';
import type { StoryView } from '@saga-ai/types/screens/overview';

const STATES: readonly StoryView['state'][] = ['running', 'in review', 'interrupted', 'done'];

/**
 * Finds the stories that somebody has begun: a worker is or was at them, they have a worktree or a branch, or a task
 * was taken up. Their plan is what their work is judged by, so a revision leaves it alone.
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
