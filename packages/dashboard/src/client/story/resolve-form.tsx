import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ActionResult } from './action-result.tsx';
import { useStoryAction } from './use-story-action.ts';

export function ResolveForm({ storyId, blocker }: { storyId: string; blocker: string }) {
  const [answer, setAnswer] = useState('');
  const action = useStoryAction(storyId);
  return (
    <form
      className="mt-3 grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        action.mutate({ verb: 'resolve', request: { blocker, answer } });
      }}
    >
      <textarea
        aria-label={`Your answer to: ${blocker}`}
        required
        rows={3}
        value={answer}
        onChange={(event) => setAnswer(event.target.value)}
        placeholder="Your decision; the next run reads it. Markdown."
        className="w-full rounded-md border border-line bg-page px-3 py-2 text-sm placeholder:text-faint"
      />
      <div className="flex items-center gap-3">
        <Button type="submit" look="strong" disabled={action.isPending || answer.trim() === ''}>
          Resolve
        </Button>
        <ActionResult action={action} />
      </div>
    </form>
  );
}
