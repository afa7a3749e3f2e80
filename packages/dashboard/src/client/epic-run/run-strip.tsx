import type { RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import { STATES } from '@saga-ai/types/screens/story-state';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';

/**
 * The whole epic in one line: a cell for each story, in the order in which they can be done. It is for the eye and
 * the mouse; the counts and the rows say the same in words.
 */
export function RunStrip({ stories }: { stories: readonly RunRow[] }) {
  return (
    <div aria-hidden="true" className="mt-2 flex gap-px">
      {stories.map(({ id, title, state }) => (
        <Cell key={id} id={id} title={title} state={state} />
      ))}
    </div>
  );
}

const Cell = memo(function Cell({ id, title, state }: Pick<RunRow, 'id' | 'title' | 'state'>) {
  const { word, tone } = STATES[state];
  return (
    <Link
      to="/stories/$id"
      params={{ id }}
      tabIndex={-1}
      title={`${title}: ${word}`}
      data-tone={tone}
      data-open={state === 'waiting' || state === 'ready' ? true : undefined}
      className="run-cell block h-2.5 min-w-0 grow basis-0"
    />
  );
});
