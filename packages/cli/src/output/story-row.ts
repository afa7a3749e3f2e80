import type { StoryView } from '@saga-ai/types/screens/overview';
import { stateOfStory } from '@saga-ai/types/screens/story-state';
import type { Cell } from './rows.ts';
import { describeStory, formatProgress } from './state.ts';

/** A row that shows the state of a story instead of its title. */
export function toStoryRow(story: StoryView): Cell[] {
  const { glyph, tone } = stateOfStory(story);
  return [
    { text: glyph, tone },
    { text: story.id, isId: true },
    { text: formatProgress(story.progress) },
    { text: describeStory(story), tone, flexible: true },
  ];
}
