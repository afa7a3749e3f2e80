import { useInfiniteQuery } from '@tanstack/react-query';
import { sessionsQuery } from '../api/queries.ts';
import { Page } from '../shell/page.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/loading.tsx';
import { Command, Empty } from '../ui/notice.tsx';
import { useTitle } from '../ui/use-title.ts';
import { SessionTable } from './session-table.tsx';

export function SessionsPage() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } =
    useInfiniteQuery(sessionsQuery);
  useTitle('Sessions');
  if (!data)
    return <Page>{error ? <Failure error={error} retry={refetch} isPage /> : <Loading />}</Page>;
  const sessions = data.pages.flatMap((page) => page.items);
  return (
    <Page>
      <h1 className="mb-4 flex items-baseline gap-3 text-xl font-semibold">
        Sessions <span className="text-sm font-normal text-faint">{data.pages[0]?.total ?? 0}</span>
      </h1>
      {sessions.length === 0 ? (
        <Empty title="Nothing was run here yet.">
          Start a worker: <Command>{'saga run <story>'}</Command>
        </Empty>
      ) : (
        <SessionTable sessions={sessions} showsStory />
      )}
      {hasNextPage ? (
        <Button className="mt-3" disabled={isFetching} onClick={() => fetchNextPage()}>
          Earlier sessions
        </Button>
      ) : null}
    </Page>
  );
}
