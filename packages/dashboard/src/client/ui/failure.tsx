import { ApiError } from '../api/api-error.ts';
import { Button } from './button.tsx';

export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const { code, hint } = error instanceof ApiError ? error : { code: 'internal', hint: '' };
  return (
    <div role="alert" className="panel mx-auto my-10 max-w-lg px-5 py-4">
      <p className="flex gap-2 font-medium">
        <span aria-hidden="true" className="text-needs-you">
          ✗
        </span>
        {error.message}
      </p>
      <p className="mt-1 pl-5 text-sm text-soft">
        {hint} <span className="font-mono text-xs text-faint">[{code}]</span>
      </p>
      {retry ? (
        <div className="mt-3 pl-5">
          <Button onClick={retry}>Try again</Button>
        </div>
      ) : null}
    </div>
  );
}
