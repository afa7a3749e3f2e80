import type { EpicView } from '@saga-ai/types/screens/overview';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { epicsQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import { EpicRow } from './epic-row.tsx';

const SHOWN = 8;

interface EpicListProps {
  epics: readonly EpicView[];
  total: number;
  /** The number of problems of the project. */
  problems: number;
}

export function EpicList({ epics, total, problems }: EpicListProps) {
  const [showsAll, setShowsAll] = useState(false);
  const all = useInfiniteQuery({ ...epicsQuery, enabled: showsAll });
  const loaded = all.data?.pages.flatMap((page) => page.items);
  const shown = loaded ?? epics.slice(0, SHOWN);
  return (
    <Section id="epics" title="Epics" count={total.toLocaleString('en')}>
      {shown.length === 0 ? (
        <p className="text-sm text-faint">
          {problems > 0
            ? 'No epic can be shown. See Problems: the file of one may be broken.'
            : 'There are no epics. Stories need none.'}
        </p>
      ) : (
        <ul className="panel divide-y divide-line overflow-hidden">
          {shown.map((epic) => (
            <li key={epic.id}>
              <EpicRow epic={epic} />
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
