import type { Proposal } from '@saga-ai/types/screens/planning';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { Hint } from '../../ui/hint.tsx';
import { proposalQuery, startProposal, stopProposal } from '../plan-api.ts';
import { ProposalView } from './proposal-view.tsx';

interface ClaudePlannerProps {
  usualUsd: number;
  /** Opens the proposal in the editor. */
  open: (markdown: string) => void;
  /** Whether opening the proposal would replace a draft of the person. */
  hasDraft: boolean;
}

/** A goal in words. Claude Code reads the repository and proposes an epic; nothing is created. */
export function ClaudePlanner({ usualUsd, open, hasDraft }: ClaudePlannerProps) {
  const client = useQueryClient();
  const { data } = useQuery(proposalQuery);
  const proposal = data?.proposal ?? null;
  const [goal, setGoal] = useState(() => readGoal());
  const [limit, setLimit] = useState(String(usualUsd));
  const isRunning = proposal?.state === 'running';
  const put = (answer: { proposal: Proposal | null }) =>
    client.setQueryData(proposalQuery.queryKey, answer);
  const start = useMutation({ mutationFn: startProposal, onSuccess: put });
  const stop = useMutation({ mutationFn: stopProposal, onSuccess: put });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isRunning) start.mutate({ goal, maxUsd: Number(limit) });
  };
  const error = start.error ?? stop.error;
  return (
    <div className="grid max-w-3xl gap-5">
      <form className="panel grid gap-3 p-4" onSubmit={send}>
        <label className="grid gap-1.5 text-sm">
          <span className="font-medium">What is to be done?</span>
          <textarea
            required
            rows={5}
            value={goal}
            disabled={isRunning}
            placeholder="People can reset their password by mail. Or the text of a whole requirements document."
            onChange={(event) => {
              setGoal(event.target.value);
              keepGoal(event.target.value);
            }}
            className="control field-sizing-content max-h-96 min-h-28 w-full px-3 py-2 text-sm max-sm:text-[1rem]"
          />
        </label>
        <p className="text-sm text-soft">
          Claude Code reads this repository, with tools that only read, and proposes an epic. What
          the checks find goes back to it. You get a draft; nothing is created until you say so.
        </p>
        <div className="flex flex-wrap items-center gap-3 text-sm">
          <label className="flex items-center gap-2">
            At most $
            <input
              type="number"
              min="0.01"
              step="0.01"
              required
              value={limit}
              disabled={isRunning}
              onChange={(event) => setLimit(event.target.value)}
              className="control h-7 w-20 px-2 text-right"
            />
          </label>
          <Button
            type="submit"
            look={proposal?.state === 'ready' ? 'plain' : 'strong'}
            disabled={isRunning || start.isPending || goal.trim() === ''}
          >
            Plan with Claude
          </Button>
          {isRunning ? (
            <Button look="danger" disabled={stop.isPending} onClick={() => stop.mutate()}>
              <span aria-hidden="true">■</span> Stop
            </Button>
          ) : null}
        </div>
        {error ? (
          <p role="alert" className="text-sm">
            <span className="text-needs-you">✗ {error.message}</span>{' '}
            {error instanceof ApiError ? <Hint text={error.hint} /> : null}
          </p>
        ) : null}
      </form>
      {proposal ? <ProposalView proposal={proposal} open={open} hasDraft={hasDraft} /> : null}
    </div>
  );
}

const KEY = 'saga-goal';

function readGoal(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    // Storage may be forbidden.
    return '';
  }
}

function keepGoal(text: string): void {
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // Storage may be forbidden. Then the goal lasts as long as the page.
  }
}
