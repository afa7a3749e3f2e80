import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { epicQuery } from '../api/queries.ts';
import { Graph } from '../graph/graph.tsx';
import { Rendered } from '../markdown/rendered.tsx';
import { Page } from '../shell/page.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/loading.tsx';
import { Empty } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { Segments } from '../ui/segments.tsx';
import { useMedia } from '../ui/use-media.ts';
import { useTitle } from '../ui/use-title.ts';
import { ChildRows } from './child-rows.tsx';
import { EpicHeader } from './epic-header.tsx';
import { EpicHistory } from './epic-history.tsx';
import { buildEpicItems } from './epic-items.ts';

const route = getRouteApi('/epics/$id');

export function EpicPage() {
  const { id } = route.useParams();
  // On a phone a graph is too small to read.
  const usual = useMedia('(min-width: 40rem)') ? 'graph' : 'list';
  const { view = usual } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(epicQuery(id));
  useTitle(data?.epic.title ?? id);
  const items = useMemo(() => (data ? buildEpicItems(data) : []), [data]);
  if (!data) {
    return (
      <Page wide>{error ? <Failure error={error} retry={refetch} isPage /> : <Loading />}</Page>
    );
  }
  return (
    <Page wide>
      <div className="grid gap-6">
        <EpicHeader answer={data} />
        <Section
          id="plan"
          title="Plan"
          count={
            data.criticalPath.length > 1
              ? `${items.length} · critical path: ${data.criticalPath.length} to go`
              : items.length
          }
          aside={
            <Segments
              label="Plan as"
              value={view}
              options={[
                ['graph', 'Graph'],
                ['list', 'List'],
              ]}
              onChange={(next) =>
                navigate({ search: next === usual ? {} : { view: next }, replace: true })
              }
            />
          }
        >
          {items.length === 0 ? <Empty title="This epic has no stories yet." /> : null}
          {items.length > 0 && view === 'graph' ? (
            <Graph
              label={`Dependencies of ${data.epic.title}`}
              items={items}
              criticalPath={data.criticalPath}
            />
          ) : null}
          {items.length > 0 && view === 'list' ? <ChildRows answer={data} /> : null}
        </Section>
        <EpicHistory id={id} />
        {data.epic.description === '' ? null : (
          <Section id="about" title="About">
            <div className="max-w-3xl">
              <Rendered text={data.epic.description} />
            </div>
          </Section>
        )}
      </div>
    </Page>
  );
}
