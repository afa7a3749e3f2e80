import type { LandingView, LandPlan } from '@saga-ai/types/screens/review/review';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../api/api-error.ts';
import { Dialog } from '../keyboard/dialog.tsx';
import { count } from '../text/amounts.ts';
import { Button } from '../ui/button.tsx';
import { Hint } from '../ui/hint.tsx';
import { WebLink } from '../ui/web-link.tsx';
import { agreeToLand, landingQuery, lookAtLanding, stopLanding } from './review-queries.ts';

interface LandDialogProps {
  id: string;
  /** How many remarks of this reviewer are not sent. Nobody can send them after the landing. */
  unsent: number;
  close: () => void;
}

/** Shows what a landing would do, or why it is refused. Asks the person, and then shows the progress. */
export function LandDialog({ id, unsent, close }: LandDialogProps) {
  const client = useQueryClient();
  const { data } = useQuery(landingQuery(id));
  const settle = () => {
    for (const key of [['review', id], ['home'], ['stories'], ['story', id], ['epic'], ['epics']]) {
      void client.invalidateQueries({ queryKey: key });
    }
  };
  const look = useMutation({ mutationFn: () => lookAtLanding(id), onSettled: settle });
  const agree = useMutation({
    mutationFn: (tip: string) => agreeToLand(id, tip),
    onSettled: settle,
  });
  const { mutate } = look;
  const landing = data?.landing;
  const state = landing?.state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that the dialog is opened
  useEffect(() => {
    if (state !== 'landing' && state !== 'looking') mutate();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the landing ends, other items may go on
  useEffect(() => {
    if (state === 'landed') settle();
  }, [state]);
  const error = look.error ?? agree.error;
  return (
    <Dialog label={`Land ${id}`} close={close}>
      <div className="grid gap-3 p-5">
        <h2 className="text-base font-semibold">
          Land <span className="font-mono">{id}</span>
        </h2>
        {error ? <Refusal message={error.message} hint={hintOf(error)} /> : null}
        <div role="status" className="grid gap-2 text-sm">
          {!landing || look.isPending || state === 'looking' ? (
            <p className="text-faint">Checking what would happen …</p>
          ) : (
            <Landing landing={landing} />
          )}
        </div>
        {state === 'asks' && unsent > 0 ? (
          <p className="text-sm text-waiting">
            ! {count(unsent, 'remark of yours is', 'remarks of yours are')} not sent. Once it is
            merged, no run can work on {unsent === 1 ? 'it' : 'them'}.
          </p>
        ) : null}
        <div className="flex flex-wrap justify-end gap-2">
          {state === 'landing' ? (
            <Button onClick={() => void stopLanding(id)}>Stop waiting</Button>
          ) : null}
          <Button onClick={close}>{state === 'asks' ? 'Cancel' : 'Close'}</Button>
          {state === 'asks' && !look.isPending && landing?.plan ? (
            <Button
              look="strong"
              disabled={agree.isPending}
              onClick={() => landing.plan && agree.mutate(landing.plan.tip)}
            >
              Merge into {landing.plan.base}
            </Button>
          ) : null}
        </div>
      </div>
    </Dialog>
  );
}

const hintOf = (error: Error) => (error instanceof ApiError ? error.hint : '');

function Landing({ landing }: { landing: LandingView }) {
  const { state, plan, told, message = '', hint = '' } = landing;
  return (
    <>
      {plan ? <Plan plan={plan} /> : null}
      {told.length > 0 ? (
        <ol aria-label="Progress" className="grid gap-0.5 text-soft">
          {told.map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was told stays in its order
            <li key={index}>· {text}</li>
          ))}
        </ol>
      ) : null}
      {state === 'landing' ? <p className="text-running">● Landing …</p> : null}
      {state === 'landed' ? <p className="font-medium text-done">✓ {message}</p> : null}
      {state === 'refused' ? <Refusal message={message} hint={hint} /> : null}
    </>
  );
}

function Refusal({ message, hint }: { message: string; hint: string }) {
  return (
    <div className="text-sm">
      <p className="whitespace-pre-wrap font-medium text-needs-you">✗ {message}</p>
      {hint === '' ? null : (
        <p className="mt-1 text-soft">
          <Hint text={hint} />
        </p>
      )}
    </div>
  );
}

function Plan({ plan }: { plan: LandPlan }) {
  const { branch, base, tip, files, added, removed, pullRequest, pushedTo, isUnverified } = plan;
  return (
    <div className="grid gap-1">
      <p>
        <span className="font-mono">{branch}</span> → <span className="font-mono">{base}</span>,{' '}
        {pullRequest ? (
          <>
            by pull request <WebLink to={pullRequest.url}>#{pullRequest.number}</WebLink> (
            {pullRequest.method}), as soon as its checks have passed
          </>
        ) : pushedTo === undefined ? (
          'on this machine'
        ) : (
          `on this machine, pushed to ${pushedTo}`
        )}
      </p>
      <p className="text-soft">
        {count(files, 'file')}, <span className="text-done">+{added}</span>{' '}
        <span className="text-needs-you">−{removed}</span>, at{' '}
        <span className="font-mono">{tip.slice(0, 12)}</span>. Worktree and branch go into the
        trash.
      </p>
      {isUnverified ? (
        <p className="text-waiting">! No verify command tested it: set gate.verify.</p>
      ) : null}
    </div>
  );
}
