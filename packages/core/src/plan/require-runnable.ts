import { SagaError } from '../errors.ts';
import { toError } from '../files/json-file.ts';
import type { LoadedStory } from './stories.ts';

/** Returns the story if it can be run; throws if a file of it is broken or it has no tasks. */
export function requireRunnable(story: LoadedStory): LoadedStory {
  if (story.problems.length > 0) throw toError(story.problems);
  if (story.tasks.length > 0) return story;
  throw new SagaError(
    'invalid-file',
    `Story ${story.story.id} has no tasks, so there is nothing to run.`,
    `Add one: saga task create "…" --story ${story.story.id}`,
  );
}
