import type { EpicView } from '@saga-ai/types/overview';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { epicsQuery } from '../api/queries.ts';
import { stateOfEpic } from '../state/state.ts';
import { Button } from '../ui/button.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { Section } from '../ui/section.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';

const SHOWN = 8;

export function EpicList({ epics, total }: { epics: readonly EpicView[]; total: number }) {
  const [showsAll, setShowsAll] = useState(false);
  const all = useInfiniteQuery({ ...epicsQuery, enabled: showsAll });
  const loaded = all.data?.pages.flatMap((page) => page.items);
  const shown = loaded ?? epics.slice(0, SHOWN);
  return (
    <Section id="epics" title="Epics" count={total}>
      {shown.length === 0 ? (
        <p className="text-sm text-faint">No epics; stories stand on their own.</p>
      ) : (
        <ul className="panel divide-y divide-line overflow-hidden">
          {shown.map((epic) => (
            <li key={epic.id}>
              <Link
                to="/epics/$id"
                params={{ id: epic.id }}
                data-row
                className="row flex min-h-10 items-center gap-2.5 px-4 py-1.5"
              >
                <StateGlyph state={stateOfEpic(epic)} />
                <span className="truncate">{epic.title}</span>
                <span className="ml-auto">
                  <ProgressBar progress={epic.progress} of="stories" />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {total > shown.length ? (
        <Button
          className="mt-2"
          disabled={all.isFetching}
          onClick={() => (loaded ? void all.fetchNextPage() : setShowsAll(true))}
        >
          {(total - shown.length).toLocaleString('en')} more
        </Button>
      ) : null}
    </Section>
  );
}
