import type { StoryView } from '@saga-ai/types/screens/overview';
import { Link } from '@tanstack/react-router';
import { mayRun } from '../state/may-run.ts';
import { Button } from '../ui/button.tsx';
import { ActionResult } from './action-result.tsx';
import { RunButton } from './run-button.tsx';
import { useStoryAction } from './use-story-action.ts';

/** Shows only the actions that the server would accept. */
export function StoryActions({ view }: { view: StoryView }) {
  if (view.running) return <Stop view={view} />;
  if (view.state === 'in review') return <Review view={view} />;
  return mayRun(view) ? <Run key={view.state} view={view} /> : null;
}

function Review({ view: { id } }: { view: StoryView }) {
  return (
    <Link to="/stories/$id/review" params={{ id }} className="button text-sm">
      Review
    </Link>
  );
}

function Run({ view }: { view: StoryView }) {
  const action = useStoryAction(view.id);
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <ActionResult action={action} />
      <RunButton story={view} action={action} />
    </div>
  );
}

function Stop({ view }: { view: StoryView }) {
  const action = useStoryAction(view.id);
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <ActionResult action={action} />
      <Button
        look="danger"
        disabled={action.isPending}
        onClick={() => action.mutate({ verb: 'stop' })}
      >
        <span aria-hidden="true">■</span> Stop
      </Button>
    </div>
  );
}
