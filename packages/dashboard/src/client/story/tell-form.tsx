import { type KeyboardEvent, useState } from 'react';
import { ActionResult } from '../actions/action-result.tsx';
import { useStoryAction } from '../actions/use-story-action.ts';
import { Button } from '../ui/button.tsx';

/** One line in which a person says something to the run that is at work. */
export function TellForm({ storyId }: { storyId: string }) {
  const [text, setText] = useState('');
  const tell = useStoryAction(storyId);
  const isEmpty = text.trim() === '';
  const send = (interrupts: boolean) => {
    if (isEmpty || tell.isPending) return;
    const request = { text, interrupts };
    tell.mutate({ verb: 'tell', request }, { onSuccess: () => setText('') });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send(false);
  };
  return (
    <form
      aria-label="Say something to the run"
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        send(false);
      }}
    >
      <textarea
        aria-label="Your message to the run"
        rows={1}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        placeholder="Say something to the run; it reads it after its current step."
        className="control field-sizing-content max-h-40 resize-none min-w-0 grow basis-60 px-3 py-1.5 text-sm"
      />
      <Button type="submit" disabled={tell.isPending || isEmpty}>
        Tell
      </Button>
      <Button look="plain" disabled={tell.isPending || isEmpty} onClick={() => send(true)}>
        Interrupt and tell
      </Button>
      <ActionResult action={tell} />
    </form>
  );
}
