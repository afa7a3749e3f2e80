import { isInFlight } from '@saga-ai/types/screens/in-flight';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionResult } from '../actions/action-result.tsx';
import { useStoryAction } from '../actions/use-story-action.ts';
import { recoveryQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';

/** Shows what was in flight when the worker ended, with the evidence, and what `saga recover` would do. */
export function RecoverySection({ view }: { view: StoryView }) {
  const isShown = isInFlight(view);
  const { data } = useQuery({ ...recoveryQuery(view.id), enabled: isShown });
  const item = isShown ? data?.item : undefined;
  if (!item) return null;
  const canResume = item.next.kind === 'resume';
  return (
    <Section id="recovery" title="In flight" aside={<Discard view={view} />}>
      <ul className="grid gap-1 text-sm">
        {item.evidence.map(({ says, source }) => (
          <li key={`${says} ${source}`} className="min-w-0 break-words">
            {says} <span className="text-xs text-faint">{source}</span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-soft">
        {canResume ? 'A run ' : 'First: '}
        {item.next.what}
        {canResume ? '.' : <code className="ml-1">{item.next.command}</code>}
      </p>
    </Section>
  );
}

/** Asks before it acts: the first press only shows what would happen. */
function Discard({ view }: { view: StoryView }) {
  const action = useStoryAction(view.id, { isAway: true });
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking) {
    return (
      <>
        <ActionResult action={action} />
        <Button look="danger" disabled={action.isPending} onClick={() => setIsAsking(true)}>
          Discard…
        </Button>
      </>
    );
  }
  const discard = () => {
    setIsAsking(false);
    action.mutate({ verb: 'discard' });
  };
  return (
    <>
      <span className="text-sm text-soft">Worktree and branch go into the trash.</span>
      <Button look="danger" onClick={discard}>
        Discard
      </Button>
      <Button onClick={() => setIsAsking(false)}>Keep</Button>
    </>
  );
}
