import type { StoryView } from '@saga-ai/types/screens/overview';
import type { useStoryAction } from '../actions/use-story-action.ts';
import { Button } from '../ui/button.tsx';

interface RunButtonProps {
  story: StoryView;
  action: ReturnType<typeof useStoryAction>;
}

export function RunButton({ story, action }: RunButtonProps) {
  return (
    <Button
      disabled={action.isPending || action.isSuccess}
      onClick={() => action.mutate({ verb: 'run' })}
    >
      <span aria-hidden="true">▸</span> Run <span className="sr-only">{story.title}</span>
    </Button>
  );
}
