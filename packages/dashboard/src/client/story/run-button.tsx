import type { StoryView } from '@saga-ai/types/screens/overview';
import { readToken } from '../api/token.ts';
import { Button } from '../ui/button.tsx';
import { ActionResult } from './action-result.tsx';
import { useStoryAction } from './use-story-action.ts';

export function RunButton({ story }: { story: StoryView }) {
  const action = useStoryAction(story.id);
  if (readToken() === null) return null;
  return (
    <>
      <ActionResult action={action} />
      <Button
        disabled={action.isPending || action.isSuccess}
        onClick={() => action.mutate({ verb: 'run' })}
      >
        <span aria-hidden="true">▸</span> Run <span className="sr-only">{story.title}</span>
      </Button>
    </>
  );
}
