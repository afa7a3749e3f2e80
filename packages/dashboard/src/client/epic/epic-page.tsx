import type { EpicRunAnswer } from '@saga-ai/types/screens/epic-run/epic-run';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { epicQuery, epicRunQuery } from '../api/queries.ts';
import {
  chooseView,
  type EpicViewName,
  type RowFilter,
  readEpicSearch,
} from '../epic-run/epic-search.ts';
import { ForetoldConflicts } from '../epic-run/foretold.tsx';
import { HoldUps } from '../epic-run/hold-ups.tsx';
import { RunHead } from '../epic-run/run-head.tsx';
import { RunReport } from '../epic-run/run-report.tsx';
import { RunViews } from '../epic-run/run-views.tsx';
import { useChoose } from '../epic-run/use-choice.ts';
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

const VIEW_WORDS: Readonly<Record<EpicViewName, string>> = {
  timeline: 'Timeline',
  graph: 'Graph',
  wall: 'Wall',
  table: 'Table',
  list: 'List',
};

export function EpicPage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: answer } = useQuery(epicRunQuery(id));
  const isWide = useMedia('(min-width: 40rem)');
  const run = answer?.run ?? null;
  const { view, usual, offered } = chooseView(search.view, { hasRun: run !== null, isWide });
  // The answer for a run contains all changes, in small pieces. Only the graph needs the whole plan again.
  const isFollowed = run === null || run.endedAt !== null || view === 'graph';
  const { data, error, refetch } = useQuery({ ...epicQuery(id), enabled: isFollowed });
  const choose = useChoose();
  useTitle(data?.epic.title ?? id);
  const items = useMemo(() => (data ? buildEpicItems(data) : []), [data]);
  const rows = useMemo(() => filterRows(answer, search.show), [answer, search.show]);
  if (!data) {
    return (
      <Page wide>{error ? <Failure error={error} retry={refetch} isPage /> : <Loading />}</Page>
    );
  }
  const go = (change: { view?: EpicViewName | undefined; show?: RowFilter | undefined }) =>
    navigate({ search: (before) => readEpicSearch({ ...before, ...change }), replace: true });
  const criticalPath = answer?.criticalPath ?? data.criticalPath;
  const isStory = new Set(answer?.stories.map((it) => it.id));
  const graph =
    items.length > 0 && view === 'graph' ? (
      <Graph
        label={`Dependencies of ${data.epic.title}`}
        items={items}
        criticalPath={criticalPath}
        choose={
          run
            ? (node) => {
                if (isStory.has(node)) choose(node);
                return isStory.has(node);
              }
            : undefined
        }
      />
    ) : null;
  return (
    <Page wide>
      <div className={`grid min-w-0 ${run ? 'gap-4' : 'gap-5'}`}>
        <EpicHeader
          answer={data}
          hasRun={run !== null}
          isRunning={run !== null && run.endedAt === null}
        />
        {answer && items.length > 0 ? <RunHead epicId={id} answer={answer} /> : null}
        {answer && run ? <HoldUps epicId={id} answer={answer} /> : null}
        {answer && run ? <ForetoldConflicts run={run} stories={answer.stories} /> : null}
        {answer && run?.report ? <RunReport report={run.report} stories={answer.stories} /> : null}
        <Section
          id="plan"
          title="Plan"
          count={
            criticalPath.length > 1
              ? `${items.length} · critical path: ${criticalPath.length} to go`
              : items.length
          }
          aside={
            <>
              {view === 'timeline' || view === 'table' ? (
                <Segments
                  label="Which stories"
                  value={search.show ?? 'all'}
                  options={FILTERS}
                  onChange={(next) => go({ show: next === 'all' ? undefined : next })}
                />
              ) : null}
              <Segments
                label="Plan as"
                value={view}
                options={offered.map((it) => [it, VIEW_WORDS[it]] as const)}
                onChange={(next) => go({ view: next === usual ? undefined : next })}
              />
            </>
          }
        >
          {items.length === 0 ? <Empty title="This epic has no stories yet." /> : null}
          {answer && run && items.length > 0 ? (
            <RunViews
              epicId={id}
              answer={answer}
              run={run}
              view={view}
              rows={rows}
              story={search.story}
              graph={graph}
            />
          ) : (
            graph
          )}
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

const FILTERS = [
  ['all', 'All'],
  ['active', 'Active'],
  ['critical', 'Critical path'],
] as const;

const ACTIVE = new Set(['running', 'needs-you', 'stalled', 'interrupted', 'in-review']);

function filterRows(answer: EpicRunAnswer | undefined, show: RowFilter | undefined) {
  const { stories = [] } = answer ?? {};
  if (show === 'active') return stories.filter((it) => ACTIVE.has(it.state));
  return show === 'critical' ? stories.filter((it) => it.isCritical) : stories;
}
