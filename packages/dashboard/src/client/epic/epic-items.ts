import type { EpicAnswer } from '@saga-ai/types/screens/dashboard';
import { stateOfEpic, stateOfStory } from '@saga-ai/types/screens/story-state';
import type { GraphItem } from '../graph/graph-item.ts';
import { describeBriefly } from '../state/describe-story.ts';

/** Returns the children in the order of the epic. A child that cannot be read gets no node. */
export function buildEpicItems({ epic, stories, epics }: EpicAnswer): GraphItem[] {
  const storyOf = new Map(stories.map((story) => [story.id, story]));
  const epicOf = new Map(epics.map((child) => [child.id, child]));
  return epic.children.flatMap(({ id, blockedBy }): GraphItem[] => {
    const story = storyOf.get(id);
    if (story) {
      const { title, progress } = story;
      return [
        {
          id,
          blockedBy,
          title,
          state: stateOfStory(story),
          // The edges already show what a story waits for.
          detail: story.state === 'waiting' ? '' : describeBriefly(story),
          progress: `${progress.completed}/${progress.total}`,
          href: `/stories/${id}`,
        },
      ];
    }
    const child = epicOf.get(id);
    if (!child) return [];
    const { title, progress } = child;
    return [
      {
        id,
        blockedBy,
        title,
        state: stateOfEpic(child),
        detail: 'epic',
        progress: `${progress.completed}/${progress.total}`,
        href: `/epics/${id}`,
      },
    ];
  });
}
