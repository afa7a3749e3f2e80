import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import type { Draft, Drafts } from '../drafts.ts';

interface DraftFormProps {
  draft: Draft;
  drafts: Drafts;
  /** The file has another content than the one that the remark was written for. */
  isOutdated: boolean;
  /** The work is not merged yet, so remarks on it can be sent. */
  maySend: boolean;
}

/** A remark on a line. It is kept as it is typed, and sent together with the others. */
export function DraftForm({ draft, drafts, isOutdated, maySend }: DraftFormProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const isNew = draft.text === '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form that has just been opened takes the focus, once
  useEffect(() => {
    if (isNew) field.current?.focus({ preventScroll: true });
  }, []);
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    if (draft.text.trim() === '') drafts.remove([draft.key]);
    field.current?.closest<HTMLElement>('[data-diff]')?.focus({ preventScroll: true });
  };
  const place = `${draft.path}:${draft.line}${draft.side === 'old' ? ' (removed)' : ''}`;
  return (
    <div className="border-y border-line bg-page px-3 py-2">
      <p className="mb-1 truncate text-xs text-faint">
        Remark on <span className="font-mono">{place}</span>
        {isOutdated ? (
          <span className="text-waiting"> · the file has changed since you wrote this</span>
        ) : null}
      </p>
      <textarea
        ref={field}
        aria-label={`Your remark on ${place}`}
        rows={2}
        value={draft.text}
        onChange={(event) => drafts.change(draft.key, event.target.value)}
        onKeyDown={leave}
        placeholder="What should change here?"
        className="control field-sizing-content max-h-60 min-h-14 w-full resize-none px-3 py-1.5 text-sm"
      />
      <div className="mt-1 flex items-center gap-2">
        <Button onClick={() => drafts.remove([draft.key])}>Delete</Button>
        {maySend ? (
          <span className="text-xs text-faint">kept in this browser until it is sent</span>
        ) : (
          <span className="text-xs text-waiting">
            ! not sent, and merged meanwhile: copy it into a new story if it still matters
          </span>
        )}
      </div>
    </div>
  );
}
