import type { Proposal } from '@saga-ai/types/screens/planning';
import { count, formatCost } from '../../text/amounts.ts';
import { formatClock } from '../../text/times.ts';
import { Button } from '../../ui/button.tsx';
import { Hint } from '../../ui/hint.tsx';
import { Elapsed } from '../../ui/moments.tsx';

interface ProposalViewProps {
  proposal: Proposal;
  open: (markdown: string) => void;
  hasDraft: boolean;
}

/** A proposal that is under way, or the result of the last one. */
export function ProposalView({ proposal, open, hasDraft }: ProposalViewProps) {
  const { state, startedAt, steps, stepCount, goal } = proposal;
  return (
    <section aria-label="Proposal" className="panel overflow-hidden">
      <div className="grid gap-1 border-b border-line px-4 py-3">
        <p role="status" className="font-medium">
          {state === 'running' ? (
            <>
              <span aria-hidden="true" className="mr-1.5 font-glyph text-running">
                ●
              </span>
              Claude Code is planning
            </>
          ) : null}
          {state === 'ready' ? (
            <>
              <span aria-hidden="true" className="mr-1.5 font-glyph text-done">
                ✓
              </span>
              {proposal.title}: {count(proposal.stories, 'story', 'stories')} proposed
            </>
          ) : null}
          {state === 'failed' || state === 'stopped' ? (
            <>
              <span aria-hidden="true" className="mr-1.5 font-glyph text-needs-you">
                ✗
              </span>
              {proposal.error?.message ?? 'Nothing was proposed.'}
            </>
          ) : null}
        </p>
        {proposal.error && proposal.error.hint !== '' ? (
          <p className="text-sm text-soft">
            <Hint text={proposal.error.hint} />
          </p>
        ) : null}
        <p className="line-clamp-2 text-sm text-faint">{goal}</p>
        <p className="flex flex-wrap gap-x-4 text-xs text-soft">
          {state === 'running' ? (
            <span>
              <Elapsed since={startedAt} />
            </span>
          ) : null}
          <span>{count(stepCount, 'step')}</span>
          {proposal.rounds > 0 ? <span>{count(proposal.rounds, 'round')}</span> : null}
          {proposal.costUsd > 0 ? <span>{formatCost(proposal.costUsd)}</span> : null}
          {proposal.advice.length > 0 ? (
            <span>{count(proposal.advice.length, 'piece of advice', 'pieces of advice')}</span>
          ) : null}
        </p>
        {proposal.markdown !== null ? (
          <div className="mt-2">
            <Button look="strong" onClick={() => open(proposal.markdown ?? '')}>
              {hasDraft ? 'Open it in the editor, in place of my draft' : 'Open it in the editor'}
            </Button>
          </div>
        ) : null}
      </div>
      <ol
        aria-label="Steps"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
        tabIndex={0}
        className="grid max-h-64 gap-0.5 overflow-y-auto px-4 py-3 font-mono text-xs"
      >
        {steps.toReversed().map(({ time, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its number
          <li key={stepCount - index} className="flex gap-3">
            <span className="shrink-0 text-faint">{formatClock(time)}</span>
            <span className="min-w-0 break-words">{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
