import type { ReadEntry } from '@saga-ai/types/plan/journal';
import { type KeyboardEvent, useState } from 'react';
import { ActionResult } from '../actions/action-result.tsx';
import { useStoryAction } from '../actions/use-story-action.ts';
import { Button } from '../ui/button.tsx';
import { keepDraft, readDraft } from './answer-drafts.ts';

interface ResolveFormProps {
  storyId: string;
  blocker: Pick<ReadEntry, 'id' | 'title'>;
  /** True if the question is the only hindrance, so that the story can be run with the answer. */
  mayRun: boolean;
  /** Continues the epic around the story after the answer. Undefined if the story is not part of a running epic. */
  goOn?: () => void;
  /** True if the form is one line high until it is used. */
  isShort?: boolean;
}

export function ResolveForm(props: ResolveFormProps) {
  const { storyId, blocker, mayRun, goOn, isShort = false } = props;
  const [answer, setAnswer] = useState(() => readDraft(storyId, blocker.id));
  const resolve = useStoryAction(storyId);
  const run = useStoryAction(storyId, { isAway: true });
  const isEmpty = answer.trim() === '';
  const send = (runsAfter: boolean) => {
    if (isEmpty || resolve.isPending) return;
    resolve.mutate(
      { verb: 'resolve', request: { blocker: blocker.id, answer } },
      {
        onSuccess: () => {
          keepDraft(storyId, blocker.id, '');
          if (goOn) goOn();
          else if (runsAfter) run.mutate({ verb: 'run' });
        },
      },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(mayRun);
  };
  return (
    <form
      className={`mt-3 grid gap-2 ${isShort ? 'items-start sm:grid-cols-[minmax(0,1fr)_auto]' : ''}`}
      onSubmit={(event) => {
        event.preventDefault();
        send(false);
      }}
    >
      <textarea
        aria-label={`Your answer to: ${blocker.title}`}
        required
        rows={isShort ? 1 : 3}
        value={answer}
        onChange={(event) => {
          setAnswer(event.target.value);
          keepDraft(storyId, blocker.id, event.target.value);
        }}
        onKeyDown={onKeyDown}
        placeholder="Your decision; the next run reads it. Markdown. Ctrl-Enter sends it."
        className={`control w-full px-3 text-sm ${isShort ? 'field-sizing-content min-h-7 py-[0.1875rem] focus:min-h-16' : 'py-2'}`}
      />
      <div className="flex flex-wrap items-center gap-3">
        {mayRun ? (
          <Button look="strong" disabled={resolve.isPending || isEmpty} onClick={() => send(true)}>
            Answer and run
          </Button>
        ) : null}
        <Button
          type="submit"
          look={mayRun ? 'plain' : 'strong'}
          disabled={resolve.isPending || isEmpty}
        >
          {goOn ? 'Answer and go on' : 'Resolve'}
        </Button>
        <ActionResult action={resolve} />
      </div>
    </form>
  );
}
