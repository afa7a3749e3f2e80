import type { ReviewAnswer } from '@saga-ai/types/screens/review/review';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Page } from '../shell/page.tsx';
import { count } from '../text/amounts.ts';
import { shortenHash } from '../text/shorten-hash.ts';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/loading.tsx';
import { Empty } from '../ui/notice.tsx';
import { Segments } from '../ui/segments.tsx';
import { useMedia } from '../ui/use-media.ts';
import { useTitle } from '../ui/use-title.ts';
import { type DiffHandle, DiffView } from './diff/diff-view.tsx';
import { useDrafts } from './drafts.ts';
import { FileList } from './file-list.tsx';
import { LandDialog } from './land-dialog.tsx';
import { reviewQuery } from './review-queries.ts';
import { ReviewSide } from './review-side.tsx';
import { SendRemarks } from './send-remarks.tsx';
import { useReviewKeys } from './use-review-keys.ts';
import { useViewedMarks } from './viewed-marks.ts';

/** What a reviewer of a story or an epic sees. */
export function ReviewPage() {
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(reviewQuery(id));
  useTitle(data ? `Review of ${data.title}` : id);
  if (!data)
    return <Page>{error ? <Failure error={error} retry={refetch} isPage /> : <Loading />}</Page>;
  return <Review answer={data} />;
}

const VIEWS = [
  ['unified', 'Unified'],
  ['split', 'Side by side'],
] as const;

function Review({ answer }: { answer: ReviewAnswer }) {
  const { id, kind, files, isMerged, uncommitted } = answer;
  const marks = useViewedMarks(id);
  const drafts = useDrafts(id);
  const diff = useRef<DiffHandle>(null);
  const { view, toggleView, file, setFile } = usePlace(answer);
  const [current, setCurrent] = useState(0);
  const [isLanding, setLanding] = useState(false);
  const isWide = useMedia('(min-width: 80rem)');
  useReviewKeys(diff, toggleView);
  const mayRemark = kind === 'story' && !isMerged;
  const stopLanding = useCallback(() => setLanding(false), []);
  const onFile = useCallback(
    (next: number) => {
      setCurrent(next);
      setFile(next);
    },
    [setFile],
  );
  // The address names a file: the page opens there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is opened
  useEffect(() => {
    if (file > 0) diff.current?.showFile(file);
  }, []);
  const countDrafts = (path: string) => drafts.all.filter((it) => it.path === path).length;
  const unsent = drafts.all.filter(({ text }) => text.trim() !== '').length;
  const viewed = files.filter((it) => marks.has(it)).length;
  const side = kind === 'story' ? <ReviewSide answer={answer} /> : null;
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto flex h-[calc(100dvh-3.0625rem)] max-w-[120rem] flex-col outline-none"
    >
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-3 py-2 sm:px-5">
        <div className="min-w-0">
          <p className="flex flex-wrap gap-x-2 text-xs text-faint">
            <span>review of {kind}</span>
            <ItemLink kind={kind} id={id} />
            <span className="font-mono max-sm:hidden">
              {shortenHash(answer.head)} → {answer.base}
            </span>
            {isMerged ? <span className="text-done">merged</span> : null}
          </p>
          <h1 className="truncate text-lg font-semibold">{answer.title}</h1>
        </div>
        <p className="flex flex-wrap gap-x-2 text-xs text-soft">
          <Totals answer={answer} />
          <span>
            {viewed} of {files.length} viewed
          </span>
        </p>
        <div className="flex flex-wrap items-center gap-2 sm:ml-auto">
          <Segments label="View" options={VIEWS} value={view} onChange={toggleView} />
          {mayRemark ? <SendRemarks id={id} drafts={drafts} isRunning={answer.isRunning} /> : null}
          {isMerged ? null : <Button onClick={() => setLanding(true)}>Land …</Button>}
        </div>
      </header>
      {uncommitted.length > 0 ? (
        <p className="border-b border-line bg-waiting-wash px-3 py-1 text-xs text-waiting sm:px-5">
          Not in this diff, because no commit has them: {uncommitted.slice(0, 5).join(', ')}
          {uncommitted.length > 5 ? ` and ${uncommitted.length - 5} more` : ''}
        </p>
      ) : null}
      <div className="review-body">
        <div className="flex min-h-0 flex-col border-line max-lg:border-b lg:border-r">
          <FileList
            files={files}
            marks={marks}
            current={current}
            countDrafts={countDrafts}
            show={(next) => diff.current?.showFile(next)}
          />
          {side && !isWide ? (
            <details className="border-t border-line max-lg:max-h-72 lg:max-h-[50%] overflow-y-auto">
              <summary className="px-3 py-1.5 text-xs font-medium text-soft">
                ▸ Evidence and journal
              </summary>
              {side}
            </details>
          ) : null}
        </div>
        {files.length === 0 ? (
          <div className="p-6">
            <Empty title="The code is unchanged.">
              {answer.planFiles > 0
                ? `Only ${count(answer.planFiles, 'file')} of the plan changed.`
                : 'The branch has no commits of its own.'}
            </Empty>
          </div>
        ) : (
          <DiffView
            key={`${answer.from} ${answer.to}`}
            handle={diff}
            answer={answer}
            view={view}
            marks={marks}
            drafts={drafts}
            mayRemark={mayRemark}
            onFile={onFile}
          />
        )}
        {side && isWide ? (
          <aside
            aria-label="Evidence and journal"
            className="min-h-0 overflow-y-auto border-l border-line"
          >
            {side}
          </aside>
        ) : null}
      </div>
      {isLanding ? <LandDialog id={id} unsent={unsent} close={stopLanding} /> : null}
    </main>
  );
}

function ItemLink({ kind, id }: { kind: 'story' | 'epic'; id: string }) {
  return kind === 'story' ? (
    <Link to="/stories/$id" params={{ id }} className="link font-mono">
      {id}
    </Link>
  ) : (
    <Link to="/epics/$id" params={{ id }} className="link font-mono">
      {id}
    </Link>
  );
}

function Totals({ answer: { files } }: { answer: ReviewAnswer }) {
  const sum = (of: 'added' | 'removed') => files.reduce((all, it) => all + (it[of] ?? 0), 0);
  return (
    <>
      <span>{count(files.length, 'file')}</span>
      <span className="text-done">+{sum('added')}</span>
      <span className="text-needs-you">−{sum('removed')}</span>
    </>
  );
}

/** The file and the view are kept in the address. */
function usePlace({ files }: ReviewAnswer) {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const view: 'split' | 'unified' = search.view === 'split' ? 'split' : 'unified';
  const change = useCallback(
    (next: { view?: 'split' | undefined; file?: string | undefined }) =>
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => withoutGaps({ ...before, ...next }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const toggleView = useCallback(
    () => change({ view: view === 'split' ? undefined : 'split' }),
    [change, view],
  );
  const setFile = useCallback(
    (file: number) => change({ file: file > 0 ? files[file]?.path : undefined }),
    [change, files],
  );
  const file = files.findIndex((it) => it.path === search.file);
  return { view, toggleView, file, setFile };
}

const withoutGaps = (search: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
