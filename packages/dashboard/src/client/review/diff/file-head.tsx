import type { ReviewFile } from '@saga-ai/types/screens/review/review';

interface FileHeadProps {
  file: ReviewFile;
  isOpen: boolean;
  isViewed: boolean;
  toggle: () => void;
  setViewed: (isViewed: boolean) => void;
}

const CHANGES = { added: 'new', removed: 'removed', changed: '' } as const;

/** The line above a file. */
export function FileHead({ file, isOpen, isViewed, toggle, setViewed }: FileHeadProps) {
  const word = [CHANGES[file.change], file.note].filter(Boolean).join(', ');
  return (
    <div className="flex h-9 items-center gap-2 border-y border-line bg-sunken px-3 text-xs">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex min-w-0 grow items-center gap-2 text-left"
      >
        <span aria-hidden="true" className="w-3 shrink-0 text-faint">
          {isOpen ? '▾' : '▸'}
        </span>
        <FilePath path={file.path} isMuted={isViewed} />
        {word === '' ? null : <span className="shrink-0 text-faint">{word}</span>}
      </button>
      <Counts file={file} />
      <ViewedBox path={file.path} isViewed={isViewed} setViewed={setViewed} />
    </div>
  );
}

interface ViewedBoxProps {
  path: string;
  isViewed: boolean;
  setViewed: (isViewed: boolean) => void;
}

export function ViewedBox({ path, isViewed, setViewed }: ViewedBoxProps) {
  return (
    <label className="flex shrink-0 cursor-pointer items-center gap-1.5 text-soft">
      <input
        type="checkbox"
        aria-label={`viewed: ${path}`}
        checked={isViewed}
        onChange={(event) => setViewed(event.target.checked)}
        className="accent-(--running)"
      />
      viewed
    </label>
  );
}

/** The end of a path says more than its beginning, so the beginning is cut. */
export function FilePath({ path, isMuted }: { path: string; isMuted: boolean }) {
  const slash = path.lastIndexOf('/') + 1;
  return (
    <>
      {/* A screen reader would read the two parts of the path as two words. */}
      <span className="sr-only">{path}</span>
      <span
        aria-hidden="true"
        title={path}
        className={`flex min-w-0 font-mono ${isMuted ? 'text-faint' : 'text-ink'}`}
      >
        {slash > 0 ? (
          <span className="min-w-4 truncate text-faint">{path.slice(0, slash)}</span>
        ) : null}
        <span className="max-w-[calc(100%-1rem)] shrink-0 truncate font-medium">
          {path.slice(slash)}
        </span>
      </span>
    </>
  );
}

export function Counts({ file }: { file: Pick<ReviewFile, 'added' | 'removed'> }) {
  if (file.added === null) return <span className="shrink-0 text-faint">binary</span>;
  return (
    <span className="flex shrink-0 gap-1.5">
      <span className="text-done">+{file.added}</span>
      <span className="text-needs-you">−{file.removed}</span>
    </span>
  );
}
