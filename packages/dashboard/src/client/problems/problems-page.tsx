import { useQuery } from '@tanstack/react-query';
import { problemsQuery } from '../api/queries.ts';
import { Page } from '../shell/page.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/loading.tsx';
import { Empty } from '../ui/notice.tsx';
import { useTitle } from '../ui/use-title.ts';
import { OldPlans } from './old-plans.tsx';
import { ProblemList } from './problem-list.tsx';

export function ProblemsPage() {
  const { data, error, refetch } = useQuery(problemsQuery);
  useTitle('Problems');
  if (!data)
    return <Page>{error ? <Failure error={error} retry={refetch} isPage /> : <Loading />}</Page>;
  return (
    <Page>
      <h1 className="mb-4 flex items-baseline gap-3 text-xl font-semibold">
        Problems <span className="text-sm font-normal text-faint">{data.problems.length}</span>
      </h1>
      <div className="grid gap-4">
        {data.problems.length === 0 ? (
          <Empty title="Every file can be read and fits its schema." />
        ) : (
          <ProblemList problems={data.problems} />
        )}
        <OldPlans oldPlans={data.oldPlans} />
      </div>
    </Page>
  );
}
