import type { EpicAnswer } from '@saga-ai/types/dashboard';
import { Link } from '@tanstack/react-router';
import { StoryRow } from '../home/story-row.tsx';
import { stateOfEpic } from '../state/state.ts';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';

export function EpicRows({ answer: { stories, epics } }: { answer: EpicAnswer }) {
  return (
    <ul className="panel divide-y divide-line overflow-hidden">
      {epics.map((epic) => (
        <li key={epic.id}>
          <Link
            to="/epics/$id"
            params={{ id: epic.id }}
            data-row
            className="row flex min-h-9 items-center gap-2.5 px-4 py-1.5"
          >
            <StateGlyph state={stateOfEpic(epic)} />
            <span className="truncate">{epic.title}</span>
            <span className="ml-auto">
              <ProgressBar progress={epic.progress} of="stories" />
            </span>
          </Link>
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
