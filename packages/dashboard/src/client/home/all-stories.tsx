import type { StorySort } from '@saga-ai/types/screens/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { storiesQuery } from '../api/queries.ts';
import { count } from '../text/amounts.ts';
import { Failure } from '../ui/failure.tsx';
import { Empty } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { FILTERS, type HomeSearch, readHomeSearch, SORTS } from './home-search.ts';
import { SearchField } from './search-field.tsx';
import { StoryRows } from './story-rows.tsx';

const route = getRouteApi('/');
const CONTROL = 'control h-7 px-2 text-sm';

export function AllStories() {
  const { q = '', filter = 'all', sort = 'state' } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (search: HomeSearch) =>
    navigate({
      search: (before) => readHomeSearch({ ...before, ...search }),
      replace: true,
      resetScroll: false,
    });
  const stories = useInfiniteQuery(storiesQuery({ query: q, filter, sort }));
  // Read while drawing, so that the list is drawn again, and asks for more again, once it changes.
  const isLoadingMore = stories.isFetchingNextPage;
  const rows = stories.data?.pages.flatMap((page) => page.items) ?? [];
  const total = stories.data?.pages[0]?.total;
  return (
    <Section
      id="all"
      title="All stories"
      count={total === undefined ? '' : count(total, 'story', 'stories')}
      aside={
        <div className="flex flex-wrap items-center gap-2">
          <SearchField
            label="Search stories"
            value={q}
            onChange={(value) => change({ q: value })}
          />
          <select
            aria-label="State"
            className={CONTROL}
            value={filter}
            onChange={(event) =>
              change({ filter: event.target.value as NonNullable<HomeSearch['filter']> })
            }
          >
            {FILTERS.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          <select
            aria-label="Order"
            className={CONTROL}
            value={sort}
            onChange={(event) => change({ sort: event.target.value as StorySort })}
          >
            {SORTS.map(([value, text]) => (
              <option key={value} value={value}>
                by {text.toLowerCase()}
              </option>
            ))}
          </select>
        </div>
      }
    >
      {stories.error ? <Failure error={stories.error} retry={() => stories.refetch()} /> : null}
      {rows.length > 0 ? (
        <StoryRows
          stories={rows}
          hasMore={stories.hasNextPage}
          loadMore={() => {
            if (!isLoadingMore) void stories.fetchNextPage();
          }}
        />
      ) : null}
      {total === 0 ? (
        <Empty title="No story matches.">Clear the search or the filter.</Empty>
      ) : null}
    </Section>
  );
}
