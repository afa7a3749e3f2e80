import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { sessionQuery } from '../api/queries.ts';
import { Page } from '../shell/page.tsx';
import { TellForm } from '../story/tell-form.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/loading.tsx';
import { useTitle } from '../ui/use-title.ts';
import { SessionHeader } from './session-header.tsx';
import { SessionTranscript } from './session-transcript.tsx';

const route = getRouteApi('/sessions/$id');

export function SessionPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(sessionQuery(id));
  useTitle(data ? `Session of ${data.session.title}` : id);
  if (!data)
    return <Page>{error ? <Failure error={error} retry={refetch} isPage /> : <Loading />}</Page>;
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto flex h-[calc(100dvh-3.0625rem)] max-w-[90rem] flex-col outline-none"
    >
      <SessionHeader answer={data} />
      <SessionTranscript key={id} answer={data} />
      {data.session.state === 'running' && !data.session.isEpic ? (
        <div className="border-t border-line px-3 py-2 sm:px-5">
          <TellForm storyId={data.session.story} />
        </div>
      ) : null}
    </main>
  );
}
