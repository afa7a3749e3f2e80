import { isInPlan } from '@saga-ai/types/plan/plan-paths';
import type { DiffSummary as Diff, DiffFile } from '@saga-ai/types/screens/dashboard';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { shortenHash } from '../text/shorten-hash.ts';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';

const SHOWN = 30;

export function DiffSummary({ diff, storyId }: { diff: Diff; storyId: string }) {
  const [showsAll, setShowsAll] = useState(false);
  const files = sortFiles(diff.files);
  const added = files.reduce((sum, file) => sum + (file.added ?? 0), 0);
  const removed = files.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  const shown = showsAll ? files : files.slice(0, SHOWN);
  // Files of the plan, such as the evidence, would make the code look small.
  const code = files.filter((file) => !isPlan(file));
  const most = Math.max(...(code.length > 0 ? code : files).map(sizeOf), 1);
  return (
    <Section
      id="diff"
      title="Diff"
      aside={
        <Link to="/stories/$id/review" params={{ id: storyId }} className="button text-sm">
          Review
        </Link>
      }
      count={
        <span className="flex flex-wrap gap-x-2">
          {files.length} {files.length === 1 ? 'file' : 'files'}{' '}
          <span className="text-done">+{added}</span>{' '}
          <span className="text-needs-you">−{removed}</span>{' '}
          <span className="font-mono">
            {shortenHash(diff.base)}..{shortenHash(diff.head)}
          </span>
          {diff.isMerged ? <span className="text-done">merged</span> : null}
        </span>
      }
    >
      {files.length === 0 ? (
        <p className="text-sm text-faint">
          {diff.isMerged ? 'The merge changed nothing.' : 'The branch changes nothing yet.'}
        </p>
      ) : (
        <ul className="panel divide-y divide-line overflow-hidden">
          {shown.map((file) => (
            <li key={file.path} className="flex items-center gap-3 px-4 py-1 text-xs">
              <span
                className={`min-w-0 grow truncate font-mono ${isPlan(file) ? 'text-faint' : ''}`}
                title={file.path}
              >
                {file.path}
              </span>
              <Change file={file} most={most} />
            </li>
          ))}
        </ul>
      )}
      {shown.length < files.length ? (
        <Button className="mt-2" onClick={() => setShowsAll(true)}>
          {files.length - shown.length} more
        </Button>
      ) : null}
    </Section>
  );
}

function Change({ file, most }: { file: DiffFile; most: number }) {
  if (file.added === null || file.removed === null) {
    return <span className="text-faint">binary</span>;
  }
  const width = (lines: number) => `${Math.min(1, lines / most) * 4}rem`;
  return (
    <span className="flex shrink-0 items-center gap-2">
      <span className="w-9 text-right text-done">+{file.added}</span>
      <span className="w-9 text-right text-needs-you">−{file.removed}</span>
      <span aria-hidden="true" className="flex h-1.5 w-16 overflow-hidden max-sm:hidden">
        <span className="bg-done" style={{ width: width(file.added) }} />
        <span className="bg-needs-you" style={{ width: width(file.removed) }} />
      </span>
    </span>
  );
}

/** Files of the project come first, files of the plan last. */
function sortFiles(files: readonly DiffFile[]): DiffFile[] {
  return [...files.filter((file) => !isPlan(file)), ...files.filter(isPlan)];
}

const isPlan = ({ path }: DiffFile) => isInPlan(path);

const sizeOf = ({ added, removed }: DiffFile) => (added ?? 0) + (removed ?? 0);
