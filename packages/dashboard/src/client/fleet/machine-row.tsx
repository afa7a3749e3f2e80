import { type FleetMachine, stateOfMachine } from '@saga-ai/types/screens/fleet-view';
import { Link } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { SignAge } from '../ui/moments.tsx';
import { StateTag } from '../ui/state-tag.tsx';
import { useWish } from './fleet-queries.ts';

/** One machine: its state, what it works on, and the wishes that people can send to it. */
export function MachineRow({ machine }: { machine: FleetMachine }) {
  const { name, labels, items, busy, jobs, clientVersion, sagaVersion, seenAt, trouble } = machine;
  return (
    <li className="grid gap-x-4 gap-y-1.5 px-3 py-2.5 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-medium break-words">{name}</span>
        <StateTag state={stateOfMachine(machine)} />
        {labels.map((label) => (
          <span key={label} className="rounded bg-plain-wash px-1.5 text-xs text-soft">
            {label}
          </span>
        ))}
        {items.map(({ id, kind }) => (
          <Link
            key={`${kind}/${id}`}
            to={kind === 'epic' ? '/epics/$id' : '/stories/$id'}
            params={{ id }}
            data-row
            className="link text-sm"
          >
            {id}
          </Link>
        ))}
        {trouble === null ? null : (
          <span className="min-w-0 text-sm break-words">takes no new work: {trouble}</span>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-xs text-faint">
        <span>
          {busy} of {jobs} {jobs === 1 ? 'slot' : 'slots'}
        </span>
        <span>
          Claude Code {clientVersion} · SAGA {sagaVersion}
        </span>
        <span>
          seen <SignAge time={seenAt} />
        </span>
        <Wishes machine={machine} />
      </div>
    </li>
  );
}

function Wishes({ machine: { name, state } }: { machine: FleetMachine }) {
  const wish = useWish(name);
  const isHeld = state === 'paused' || state === 'draining';
  if (state === 'removed') return null;
  return (
    <span className="flex gap-1.5 lg:min-w-36 lg:justify-end">
      {state === 'lost' ? null : (
        <Button
          disabled={wish.isPending}
          onClick={() => wish.mutate(isHeld ? 'work' : 'paused')}
          title={isHeld ? 'It takes work again' : 'It finishes what it has and takes nothing new'}
        >
          {isHeld ? 'Resume' : 'Pause'} <span className="sr-only">{name}</span>
        </Button>
      )}
      {state === 'draining' || state === 'lost' ? null : (
        <Button
          disabled={wish.isPending}
          onClick={() => wish.mutate('draining')}
          title="It finishes what it has, then it leaves the fleet"
        >
          Drain <span className="sr-only">{name}</span>
        </Button>
      )}
    </span>
  );
}
