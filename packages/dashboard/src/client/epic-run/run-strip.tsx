import type { RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import { STATES } from '@saga-ai/types/screens/story-state';
import { memo } from 'react';
import { cutIntoChunks, hasSameItems } from './chunks.ts';
import { hrefOf, useChooseClicks } from './use-choice.ts';

/**
 * The whole epic in one line: a cell for each story, in the order in which they can be done. It is for the eye and
 * the mouse; the counts and the rows say the same in words.
 */
export const RunStrip = memo(function RunStrip({ stories }: { stories: readonly RunRow[] }) {
  const onClick = useChooseClicks();
  return (
    <div aria-hidden="true" className="mt-2 flex gap-px [contain:content]" onClick={onClick}>
      {cutIntoChunks(stories).map((chunk, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place
        <Cells key={i} stories={chunk} />
      ))}
    </div>
  );
});

const Cells = memo(
  ({ stories }: { stories: readonly RunRow[] }) =>
    stories.map(({ id, title, state }) => <Cell key={id} id={id} title={title} state={state} />),
  (a, b) => hasSameItems(a.stories, b.stories),
);

const Cell = memo(function Cell({ id, title, state }: Pick<RunRow, 'id' | 'title' | 'state'>) {
  const { word, tone } = STATES[state];
  return (
    <a
      href={hrefOf(id)}
      data-story={id}
      tabIndex={-1}
      title={`${title}: ${word}`}
      data-tone={tone}
      data-open={state === 'waiting' || state === 'ready' ? true : undefined}
      className="run-cell block h-2.5 min-w-0 grow basis-0"
    >
      {' '}
    </a>
  );
});
