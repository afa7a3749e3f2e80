import type { useStoryAction } from './use-story-action.ts';

/** Screen readers also announce the result, because it appears away from the button. */
export function ActionResult({ action }: { action: ReturnType<typeof useStoryAction> }) {
  return (
    <span role="status" className="text-sm">
      {action.error ? (
        <span className="text-needs-you" title={action.error.message}>
          ✗ {action.error.message}
        </span>
      ) : null}
      {action.data ? <span className="text-soft">{action.data.message}</span> : null}
    </span>
  );
}
