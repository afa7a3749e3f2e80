import type { FleetEnd, FleetJob, FleetView } from '@saga-ai/types/screens/fleet-view';
import { lookOfSession } from '@saga-ai/types/screens/story-state';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Page } from '../shell/page.tsx';
import { Failure } from '../ui/failure.tsx';
import { Hint } from '../ui/hint.tsx';
import { Loading } from '../ui/loading.tsx';
import { Age } from '../ui/moments.tsx';
import { Command, Empty } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { StateTag } from '../ui/state-tag.tsx';
import { useTitle } from '../ui/use-title.ts';
import { fleetQuery } from './fleet-queries.ts';
import { MachineRow } from './machine-row.tsx';

/** The machines of the fleet, the jobs that wait and why, and those that ended. */
export function FleetPage() {
  const { data, error, refetch } = useQuery(fleetQuery);
  useTitle('Fleet');
  if (!data)
    return <Page>{error ? <Failure error={error} retry={refetch} isPage /> : <Loading />}</Page>;
  return (
    <Page>
      <h1 className="text-xl font-semibold">Fleet</h1>
      {data.fleet === null ? (
        <div className="mt-4">
          <Empty title="There is no fleet.">
            One machine needs none. To use several:{' '}
            <Command>saga config engine.url postgres://…</Command>
          </Empty>
        </div>
      ) : (
        <Fleet fleet={data.fleet} />
      )}
    </Page>
  );
}

function Fleet({ fleet: { engine, machines, waiting, ended } }: { fleet: FleetView }) {
  return (
    <>
      <p className="mb-5 mt-0.5 break-all font-mono text-xs text-faint">{engine}</p>
      <div className="grid gap-6">
        <Section id="machines" title="Machines" count={machines.length}>
          {machines.length === 0 ? (
            <Empty title="No machine is in the fleet.">
              Start one: <Command>saga agent</Command>
            </Empty>
          ) : (
            <ul className="panel divide-y divide-line">
              {machines.map((machine) => (
                <MachineRow key={machine.name} machine={machine} />
              ))}
            </ul>
          )}
        </Section>
        <Section id="waiting" title="Waiting" count={waiting.length}>
          {waiting.length === 0 ? (
            <Empty title="Nothing waits for a machine.">
              Hand something over: <Command>{'saga run <story> --engine'}</Command>
            </Empty>
          ) : (
            <ul className="panel divide-y divide-line">
              {waiting.map((job) => (
                <WaitingRow key={`${job.kind}/${job.id}`} job={job} />
              ))}
            </ul>
          )}
        </Section>
        {ended.length === 0 ? null : (
          <Section id="ended" title="Ended lately" count={ended.length}>
            <ul className="panel divide-y divide-line">
              {ended.map((end) => (
                <EndedRow key={`${end.id}/${end.endedAt}`} end={end} />
              ))}
            </ul>
          </Section>
        )}
      </div>
    </>
  );
}

function ItemLink({ id, kind }: Pick<FleetJob, 'id' | 'kind'>) {
  return (
    <Link
      to={kind === 'epic' ? '/epics/$id' : '/stories/$id'}
      params={{ id }}
      data-row
      className="link font-medium"
    >
      {id}
    </Link>
  );
}

function WaitingRow({ job }: { job: FleetJob }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-3 py-2.5 text-sm">
      <ItemLink {...job} />
      <span className="min-w-0 text-soft">
        <Hint text={job.why} />
      </span>
      <span className="text-xs text-faint sm:ml-auto">
        handed over by {job.by} · <Age time={job.queuedAt} />
      </span>
    </li>
  );
}

function EndedRow({ end }: { end: FleetEnd }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-3 py-2.5 text-sm">
      <ItemLink {...end} />
      <StateTag state={lookOfSession('ended', end.outcome)} />
      <span className="min-w-0 text-soft">{end.reason}</span>
      <span className="text-xs text-faint sm:ml-auto">
        {end.machine === null ? null : <>on {end.machine} · </>}
        <Age time={end.endedAt} />
      </span>
    </li>
  );
}
