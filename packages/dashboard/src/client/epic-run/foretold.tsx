import type { EpicRun, RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';

interface ForetoldProps {
  run: EpicRun;
  stories: readonly RunRow[];
}

/** Conflicts that will come at the merge, unless one of the two stories changes. */
export function ForetoldConflicts({ run: { foretold }, stories }: ForetoldProps) {
  if (foretold.length === 0) return null;
  const titles = new Map(stories.map((it) => [it.id, it.title]));
  return (
    <ul aria-label="Expected conflicts" className="grid gap-1 text-sm">
      {foretold.map(({ stories: pair, files }) => (
        <li key={pair.join(' ')} className="rounded-md bg-waiting-wash px-3 py-1.5">
          <span className="font-medium text-waiting">Conflict expected:</span>{' '}
          {pair.map((id, i) => (
            <Fragment key={id}>
              {i > 0 ? ' and ' : null}
              <Link to="/stories/$id" params={{ id }} className="link">
                {titles.get(id) ?? id}
              </Link>
            </Fragment>
          ))}{' '}
          change the same lines of{' '}
          <span className="break-all font-mono text-xs">
            {files.slice(0, NAMED).join(', ')}
            {files.length > NAMED ? ` and ${files.length - NAMED} more` : ''}
          </span>
          . The run of the later one is told.
        </li>
      ))}
    </ul>
  );
}

const NAMED = 3;
