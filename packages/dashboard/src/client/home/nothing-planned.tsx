import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { problemsQuery } from '../api/queries.ts';
import { OldPlans } from '../problems/old-plans.tsx';
import { Command, Empty } from '../ui/notice.tsx';

/** An empty project: how to begin, and which older plans could be taken over. */
export function NothingPlanned() {
  const { data } = useQuery(problemsQuery);
  return (
    <div className="grid gap-4">
      <Empty title="Nothing is planned yet.">
        <Link to="/plan/new" className="link">
          Write a plan here
        </Link>
        , or in a terminal: <Command>saga create</Command>
      </Empty>
      {data ? <OldPlans oldPlans={data.oldPlans} /> : null}
    </div>
  );
}
