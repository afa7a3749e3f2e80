import { Link } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';
import { Button } from './button.tsx';
import { Hint } from './hint.tsx';

interface FailureProps {
  error: Error;
  retry?: () => void;
  /** True if the page shows only this message, which is then its heading. */
  isPage?: boolean;
}

export function Failure({ error, retry, isPage = false }: FailureProps) {
  const { code, hint } = error instanceof ApiError ? error : { code: 'internal', hint: '' };
  const Title = isPage ? 'h1' : 'p';
  return (
    <div role="alert" className="panel mx-auto my-10 max-w-lg px-5 py-4">
      <Title className="flex gap-2 font-medium">
        <span aria-hidden="true" className="text-needs-you">
          ✗
        </span>
        {error.message}
      </Title>
      <p className="mt-1 pl-5 text-sm text-soft">
        <Hint text={hint} /> <span className="font-mono text-xs text-faint">[{code}]</span>
      </p>
      {retry ? (
        <div className="mt-3 pl-5">
          {code === 'not-found' && isPage ? (
            <Link to="/" className="link text-sm">
              Back to the overview
            </Link>
          ) : (
            <Button onClick={retry}>Try again</Button>
          )}
        </div>
      ) : null}
    </div>
  );
}
