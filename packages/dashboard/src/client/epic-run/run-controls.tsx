import type { EpicRunAnswer } from '@saga-ai/types/screens/epic-run/epic-run';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { useEpicAction } from './use-epic-action.ts';

interface RunControlsProps {
  epicId: string;
  answer: EpicRunAnswer;
  /** Whether everything is merged. */
  isDone: boolean;
}

/** Shows only what the server would accept now. */
export function RunControls({ epicId, answer: { state, run }, isDone }: RunControlsProps) {
  const action = useEpicAction(epicId);
  const [wanted, setWanted] = useState(run?.jobs ?? 2);
  const isAlive = state === 'running' || state === 'paused' || state === 'people';
  if (!isAlive && isDone) return null;
  const jobs = isAlive ? (run?.jobs ?? 1) : wanted;
  const choose = (next: number) => {
    if (isAlive) action.mutate({ verb: 'jobs', request: { jobs: next } });
    else setWanted(next);
  };
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 text-ink md:ml-auto">
      <fieldset className="inline-flex h-7 items-center rounded-md border border-control bg-panel text-sm">
        <legend className="sr-only">Stories at the same time</legend>
        <span className="pl-2.5 text-soft" aria-hidden="true">
          jobs
        </span>
        <Step label="One job less" disabled={jobs <= 1} onClick={() => choose(jobs - 1)}>
          −
        </Step>
        <output aria-label="Jobs" className="min-w-4 text-center font-semibold">
          {jobs}
        </output>
        <Step label="One job more" disabled={jobs >= MOST} onClick={() => choose(jobs + 1)}>
          +
        </Step>
      </fieldset>
      {isAlive ? (
        <>
          <Button
            disabled={action.isPending}
            onClick={() => action.mutate({ verb: state === 'paused' ? 'continue' : 'pause' })}
            title={state === 'paused' ? undefined : 'Nothing new begins; what runs goes on'}
          >
            {state === 'paused' ? 'Continue' : 'Pause'}
          </Button>
          <Button
            look="danger"
            disabled={action.isPending}
            onClick={() => action.mutate({ verb: 'stop' })}
            title="Stops the epic and all its stories; run it to go on"
          >
            <span aria-hidden="true">■</span> Stop all
          </Button>
        </>
      ) : (
        <Button
          look="strong"
          disabled={action.isPending}
          onClick={() => action.mutate({ verb: 'run', request: { jobs } })}
        >
          <span aria-hidden="true">▸</span> Run {run ? 'again' : 'epic'}
        </Button>
      )}
    </div>
  );
}

/** The most jobs that the server accepts. */
const MOST = 64;

interface StepProps {
  label: string;
  disabled: boolean;
  onClick: () => void;
  children: string;
}

function Step({ label, disabled, onClick, children }: StepProps) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
      className="h-full w-7 rounded-md font-semibold hover:bg-hover disabled:text-faint"
    >
      {children}
    </button>
  );
}
