import type { StoryView } from '@saga-ai/types/screens/overview';
import { readToken } from '../api/token.ts';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/notice.tsx';
import { ActionResult } from './action-result.tsx';
import { RunButton } from './run-button.tsx';
import { useStoryAction } from './use-story-action.ts';

/** Shows only the actions that the server would accept. */
export function StoryActions({ view }: { view: StoryView }) {
  const stop = useStoryAction(view.id);
  const isOver = view.state === 'done' || view.state === 'in review';
  const canRun = !view.running && !isOver && !hasOpenBlocker(view) && view.blockedBy.length === 0;
  if (readToken() === null) {
    return (
      <p className="text-xs text-faint">
        To act, open the address that <Command>saga dashboard</Command> prints.
      </p>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      {view.running ? (
        <>
          <ActionResult action={stop} />
          <Button
            look="danger"
            disabled={stop.isPending}
            onClick={() => stop.mutate({ verb: 'stop' })}
          >
            <span aria-hidden="true">■</span> Stop
          </Button>
        </>
      ) : null}
      {canRun && view.progress.total > 0 ? <RunButton key={view.status} story={view} /> : null}
    </div>
  );
}

const hasOpenBlocker = ({ needsYou }: StoryView) =>
  needsYou?.some((reason) => reason.kind === 'blocker') ?? false;
