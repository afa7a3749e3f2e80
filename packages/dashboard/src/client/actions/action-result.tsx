import { ApiError } from '../api/api-error.ts';
import { Hint } from '../ui/hint.tsx';
import type { useStoryAction } from './use-story-action.ts';

/** Says why an action was refused and what to do. A success is shown in the corner of the page. */
export function ActionResult({ action }: { action: ReturnType<typeof useStoryAction> }) {
  const { error } = action;
  return (
    <span role="status" className="text-sm empty:absolute">
      {error ? (
        <>
          <span className="text-needs-you">✗ {error.message}</span>{' '}
          {error instanceof ApiError && error.hint !== '' ? (
            <span className="text-soft">
              <Hint text={error.hint} />
            </span>
          ) : null}
        </>
      ) : null}
    </span>
  );
}
