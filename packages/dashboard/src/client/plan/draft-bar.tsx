import { ApiError } from '../api/api-error.ts';
import { count } from '../text/amounts.ts';
import { Button } from '../ui/button.tsx';
import { Hint } from '../ui/hint.tsx';
import type { DraftInHand } from './use-draft.ts';

interface DraftBarProps {
  draft: DraftInHand;
  /** The text of the button that creates or saves. */
  verb: string;
  isBusy: boolean;
  /** Why the button cannot be pressed now. Undefined if it can. */
  obstacle: string | undefined;
  /** The number of problems in the draft. */
  problems: number;
  send: () => void;
  error: Error | null;
}

/** The actions on a draft. The bar stays in sight. */
export function DraftBar({ draft, verb, isBusy, obstacle, problems, send, error }: DraftBarProps) {
  const { kept, isKept, drop, dropped, bringBack } = draft;
  return (
    <div className="sticky top-12 z-10 -mx-3 mb-4 grid gap-1 border-b border-line bg-page px-3 py-2 sm:-mx-5 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        <Button
          look="strong"
          disabled={isBusy || obstacle !== undefined}
          onClick={send}
          title="Ctrl Enter"
        >
          {verb}
        </Button>
        {kept ? <Button onClick={drop}>Drop my changes</Button> : null}
        {!kept && dropped ? <Button onClick={bringBack}>Bring my changes back</Button> : null}
        {problems > 0 ? (
          <a href="#check" className="link text-xs">
            {count(problems, 'problem')}
          </a>
        ) : null}
        <span className="text-xs text-faint">
          {obstacle ??
            (isKept ? 'What you type is kept in this browser.' : 'This browser keeps no drafts.')}
        </span>
      </div>
      {error ? (
        <p role="alert" className="text-sm">
          <span className="text-needs-you">✗ {error.message}</span>{' '}
          <span className="text-soft">
            {error instanceof ApiError ? <Hint text={error.hint} /> : null}
          </span>
        </p>
      ) : null}
    </div>
  );
}
