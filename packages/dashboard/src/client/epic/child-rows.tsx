import type { EpicAnswer } from '@saga-ai/types/screens/dashboard';
import { EpicRow } from '../home/epic-row.tsx';
import { StoryRow } from '../home/story-row.tsx';

/** The stories and epics in an epic, as a list. */
export function ChildRows({ answer: { stories, epics } }: { answer: EpicAnswer }) {
  return (
    <ul className="panel divide-y divide-line overflow-hidden">
      {epics.map((epic) => (
        <li key={epic.id}>
          <EpicRow epic={epic} />
        </li>
      ))}
      {stories.map((story) => (
        <li key={story.id} className="min-h-9 py-1">
          <StoryRow story={story} hidesEpic />
        </li>
      ))}
    </ul>
  );
}
