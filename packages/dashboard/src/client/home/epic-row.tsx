import type { EpicView } from '@saga-ai/types/screens/overview';
import { stateOfEpic } from '@saga-ai/types/screens/story-state';
import { Link } from '@tanstack/react-router';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';

/** An epic in any list. */
export function EpicRow({ epic }: { epic: EpicView }) {
  return (
    <Link
      to="/epics/$id"
      params={{ id: epic.id }}
      data-row
      className="row flex min-h-10 items-center gap-2.5 px-4 py-1.5"
    >
      <StateGlyph state={stateOfEpic(epic)} />
      <span className="truncate">{epic.title}</span>
      <span className="ml-auto flex items-center gap-3">
        {epic.inReview > 0 ? (
          <span className="text-xs text-faint">{epic.inReview} in review</span>
        ) : null}
        <ProgressBar progress={epic.progress} of="stories" />
      </span>
    </Link>
  );
}
