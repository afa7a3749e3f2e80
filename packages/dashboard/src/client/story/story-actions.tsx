import type { StoryView } from '@saga-ai/types/screens/overview';
import { Link } from '@tanstack/react-router';
import { ActionResult } from '../actions/action-result.tsx';
import { useStoryAction } from '../actions/use-story-action.ts';
import { mayUpdate } from '../state/may-update.ts';
import { Button } from '../ui/button.tsx';
import { RunButton } from './run-button.tsx';

/** Shows only the actions that the server would accept. Give it the story's id as its key. */
export function StoryActions({ view }: { view: StoryView }) {
  const update = useStoryAction(view.id);
  // The story counts as running while it is updated.
  if (view.running && !update.isPending) return <Stop view={view} />;
  return (
    <div className="flex flex-wrap items-center justify-end gap-2 empty:hidden">
      {update.isPending || mayUpdate(view) ? (
        <>
          <ActionResult action={update} />
          <UpdateButton view={view} action={update} />
        </>
      ) : null}
      {view.state === 'in review' ? <Review view={view} /> : null}
      {view.hindrances.length === 0 ? <Run key={view.state} view={view} /> : null}
    </div>
  );
}

interface UpdateButtonProps {
  view: StoryView;
  action: ReturnType<typeof useStoryAction>;
}

/** Takes the edited plan and the base into the story. Asking a remote may take a while. */
function UpdateButton({ view, action }: UpdateButtonProps) {
  return (
    <Button
      disabled={action.isPending}
      title="Takes the edited plan and the newest commits of the base into the story's branch, as saga update does"
      onClick={() => action.mutate({ verb: 'update' })}
    >
      <span aria-hidden="true">↻</span> {action.isPending ? 'Updating …' : 'Update'}{' '}
      <span className="sr-only">{view.title}</span>
    </Button>
  );
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
    <>
      <ActionResult action={action} />
      <RunButton story={view} action={action} />
    </>
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
