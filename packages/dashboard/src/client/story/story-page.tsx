import { isChecked } from '@saga-ai/types/screens/life';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { storyQuery } from '../api/queries.ts';
import { ProblemList } from '../problems/problem-list.tsx';
import { RecoverySection } from '../recovery/recovery-section.tsx';
import { Page } from '../shell/page.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/loading.tsx';
import { useHashScroll } from '../ui/use-hash-scroll.ts';
import { useTitle } from '../ui/use-title.ts';
import { Contents } from './contents.tsx';
import { DiffSummary } from './diff-summary.tsx';
import { EvidenceSection } from './evidence-section.tsx';
import { JournalSection } from './journal-section.tsx';
import { NotYet } from './not-yet.tsx';
import { OpenQuestions } from './open-questions.tsx';
import { StoryBrief } from './story-brief.tsx';
import { StoryFacts } from './story-facts.tsx';
import { StoryHeader } from './story-header.tsx';
import { StorySessions } from './story-sessions.tsx';
import { TasksSection } from './tasks-section.tsx';

const route = getRouteApi('/stories/$id');

/** The page of a story, in the order in which a reviewer reads it. */
export function StoryPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(storyQuery(id));
  useTitle(data?.view.title ?? id);
  useHashScroll(data !== undefined);
  if (!data)
    return <Page>{error ? <Failure error={error} retry={refetch} isPage /> : <Loading />}</Page>;
  return (
    <Page>
      <StoryHeader answer={data} />
      <div className="mt-6 grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="grid min-w-0 gap-9">
          {data.problems.length > 0 ? <ProblemList problems={data.problems} /> : null}
          <OpenQuestions answer={data} />
          <RecoverySection key={data.view.id} view={data.view} />
          <StoryBrief story={data.story} />
          <TasksSection answer={data} />
          <JournalSection entries={data.journal} />
          {data.evidence ? (
            <EvidenceSection
              evidence={data.evidence}
              isUnverified={data.view.unverified}
              isCurrent={isChecked(data.view)}
            />
          ) : null}
          {data.diff ? <DiffSummary diff={data.diff} storyId={id} /> : null}
          {data.sessions.length > 0 ? <StorySessions sessions={data.sessions} /> : null}
          <NotYet answer={data} />
        </div>
        <aside
          aria-label="Facts"
          className="order-first grid gap-6 lg:sticky lg:top-16 lg:order-none"
        >
          <StoryFacts answer={data} />
          <Contents answer={data} />
        </aside>
      </div>
    </Page>
  );
}
