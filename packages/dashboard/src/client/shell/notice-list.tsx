import { Hint } from '../ui/hint.tsx';
import { dismiss, useNotices } from '../ui/notices.ts';

/** Results of actions, in a corner. Screen readers announce each. */
export function NoticeList() {
  const notices = useNotices();
  return (
    <div
      role="status"
      aria-label="Results"
      className="pointer-events-none fixed inset-x-3 bottom-3 z-40 grid justify-items-center gap-2 sm:left-auto sm:right-5 sm:justify-items-end"
    >
      {notices.map(({ id, isError, text, hint }) => (
        <div
          key={id}
          className={`panel pointer-events-auto flex w-full max-w-md items-start gap-3 border-l-[3px] px-3.5 py-2.5 text-sm shadow-lg ${isError ? 'border-l-needs-you' : 'border-l-done'}`}
        >
          <div className="min-w-0 grow">
            <p className={isError ? 'font-medium text-needs-you' : ''}>
              <span aria-hidden="true">{isError ? '✗' : '✓'}</span> {text}
            </p>
            {hint === '' ? null : (
              <p className="text-soft">
                <Hint text={hint} />
              </p>
            )}
          </div>
          <button
            type="button"
            aria-label="Close"
            onClick={() => dismiss(id)}
            className="-mr-1 shrink-0 rounded px-1 text-faint hover:text-ink"
          >
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
