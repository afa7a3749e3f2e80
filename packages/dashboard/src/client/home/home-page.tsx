import { useQuery } from '@tanstack/react-query';
import { homeQuery } from '../api/queries.ts';
import { Page } from '../shell/page.tsx';
import { count } from '../text/amounts.ts';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/loading.tsx';
import { Command, Empty } from '../ui/notice.tsx';
import { useTitle } from '../ui/use-title.ts';
import { AllStories } from './all-stories.tsx';
import { Counts } from './counts.tsx';
import { EpicList } from './epic-list.tsx';
import { InterruptedStories } from './interrupted-stories.tsx';
import { NeedsYou } from './needs-you.tsx';
import { NextStories } from './next-stories.tsx';
import { NothingPlanned } from './nothing-planned.tsx';
import { ProposedStories } from './proposed-stories.tsx';
import { RunningStories } from './running-stories.tsx';
import { ToReview } from './to-review.tsx';

/** Shows what needs you, what is running, what is next and what is done, in this order. */
export function HomePage() {
  const { data, error, refetch } = useQuery(homeQuery);
  useTitle(data ? titleOf(data.counts.needsYou, data.project) : '');
  if (!data)
    return <Page>{error ? <Failure error={error} retry={refetch} isPage /> : <Loading />}</Page>;
  const { counts } = data;
  return (
    <Page wide>
      <h1 className="sr-only">{data.project}</h1>
      <div className="grid gap-6">
        <Counts counts={counts} />
        {data.goneFrom !== undefined ? (
          <Empty title={`There is no plan in ${data.goneFrom} any more.`}>
            The project was moved or deleted. If it was moved, start the dashboard where it is now:{' '}
            <Command>saga dashboard</Command>
          </Empty>
        ) : counts.stories + counts.epics === 0 ? (
          <NothingPlanned />
        ) : (
          <>
            <NeedsYou stories={data.needsYou} total={counts.needsYou} />
            <InterruptedStories stories={data.interrupted} total={counts.interrupted} />
            <RunningStories stories={data.running} total={counts.running} />
            <ToReview total={counts.inReview} />
            <ProposedStories drafts={data.drafts} />
            <div className="grid items-start gap-6 lg:grid-cols-2">
              <NextStories stories={data.ready} total={counts.ready} waiting={counts.waiting} />
              <EpicList epics={data.epics} total={counts.epics} problems={counts.problems} />
            </div>
            <AllStories />
          </>
        )}
      </div>
    </Page>
  );
}

/** The title of the tab also shows how many stories need you. */
function titleOf(needsYou: number, project: string): string {
  return needsYou > 0 ? `${count(needsYou, 'needs you', 'need you')} · ${project}` : project;
}
