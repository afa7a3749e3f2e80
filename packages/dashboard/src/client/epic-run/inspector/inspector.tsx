import type { StoryAnswer } from '@saga-ai/types/screens/dashboard';
import type { EpicRunAnswer, HoldUp, RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import { STATES } from '@saga-ai/types/screens/story-state';
import { formatDuration } from '@saga-ai/types/words/amounts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { storyQuery } from '../../api/queries.ts';
import { Rendered } from '../../markdown/rendered.tsx';
import { mayUpdate } from '../../state/may-update.ts';
import { ResolveForm } from '../../story/resolve-form.tsx';
import { StoryActions } from '../../story/story-actions.tsx';
import { TellForm } from '../../story/tell-form.tsx';
import { count, formatDollars } from '../../text/amounts.ts';
import { formatMinute } from '../../text/times.ts';
import { Failure } from '../../ui/failure.tsx';
import { Elapsed, SignAge } from '../../ui/moments.tsx';
import { Command } from '../../ui/notice.tsx';
import { StateTag } from '../../ui/state-tag.tsx';
import { sumSpans } from '../describe-spans.ts';
import { hrefOf, useChoose, useChooseClicks } from '../use-choice.ts';
import { InspectorTasks } from './inspector-tasks.tsx';
import { Tail } from './tail.tsx';

interface InspectorProps {
  answer: EpicRunAnswer;
  row: RunRow;
  /** Lets the epic go on after an answer. */
  goOn: () => void;
}

/** Shows the chosen story beside the list, so that the reader can stay on the page. */
export function Inspector({ answer, row, goOn }: InspectorProps) {
  const choose = useChoose();
  const onClick = useChooseClicks();
  const { data, error, refetch } = useQuery(storyQuery(row.id));
  const holdUp = answer.holdUps.find((it) => it.item === row.id);
  const session = data?.sessions[0];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the clicks are those of the links inside
    <aside
      aria-label={`Story ${row.title}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
      tabIndex={0}
      className="inspector panel"
      onClick={onClick}
    >
      <div className="px-4 pb-3 pt-2.5">
        <p className="flex items-center gap-2 text-xs text-faint">
          <span>story</span>
          <span className="min-w-0 truncate font-mono">{row.id}</span>
          <button
            type="button"
            aria-label="Close"
            title="Close (Esc)"
            onClick={() => choose(undefined)}
            className="-mr-2 ml-auto size-7 shrink-0 rounded-md text-base text-soft hover:bg-hover"
          >
            ×
          </button>
        </p>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h3 className="text-base font-semibold">{row.title}</h3>
          <StateTag state={STATES[row.state]} />
        </div>
        <Figures row={row} />
        <Why data={data} note={row.note} isQuestion={(holdUp?.questions.length ?? 0) > 0} />
      </div>
      {holdUp?.questions[0] ? <Question holdUp={holdUp} goOn={goOn} /> : null}
      {data ? <InspectorTasks tasks={data.tasks} isRunning={data.view.running} /> : null}
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {session && data ? <Tail key={session.session} session={session} tasks={data.tasks} /> : null}
      {data?.view.running ? (
        <div className="border-t border-line px-4 py-3">
          <TellForm storyId={row.id} />
        </div>
      ) : null}
      <Neighbours answer={answer} row={row} />
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3 text-sm">
        <Link to="/stories/$id" params={{ id: row.id }} className="button">
          Open story
        </Link>
        {session ? (
          <Link to="/sessions/$id" params={{ id: session.session }} className="button">
            Transcript
          </Link>
        ) : null}
        <span className="ml-auto">
          {data &&
          (data.view.running || data.view.hindrances.length === 0 || mayUpdate(data.view)) ? (
            <StoryActions key={data.view.id} view={data.view} />
          ) : null}
        </span>
      </div>
    </aside>
  );
}

function Figures({ row: { work, spans, cost, starts, progress, expected } }: { row: RunRow }) {
  const worked = sumSpans(spans, ['work', 'gate', 'merge'], Date.now());
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-soft">
      {work ? (
        <span>
          <Elapsed since={work.startedAt} />
        </span>
      ) : worked > 0 ? (
        <span>worked {formatDuration(worked)}</span>
      ) : null}
      <span>
        {progress.completed}/{progress.total} tasks
      </span>
      {cost.costUsd > 0 ? <span>{formatDollars(cost)}</span> : null}
      {starts > 1 ? <span>{count(starts, 'start')}</span> : null}
      {work?.signAt ? (
        <span>
          last sign <SignAge time={work.signAt} />
        </span>
      ) : null}
      {!work && expected && starts === 0 ? (
        <span>expected to begin {formatMinute(expected.from)}</span>
      ) : null}
    </p>
  );
}

interface WhyProps {
  data: StoryAnswer | undefined;
  note: string;
  isQuestion: boolean;
}

/** Shows the reason for the story's state, and the one command that helps. */
function Why({ data, note, isQuestion }: WhyProps) {
  const { view } = data ?? {};
  const { remedy = null, next = null, state } = view ?? {};
  if (state === 'done') return null;
  return (
    <div className="mt-2 grid gap-1 text-sm">
      {isQuestion ? null : <p>{note}</p>}
      {remedy === null ? null : <p className="text-soft">{remedy}</p>}
      {next === null || state === 'running' ? null : (
        <p className="break-words">
          <Command>{next}</Command>
        </p>
      )}
    </div>
  );
}

function Question({ holdUp: { item, questions }, goOn }: { holdUp: HoldUp; goOn: () => void }) {
  const [first] = questions;
  if (!first) return null;
  return (
    <div className="border-t border-line bg-needs-you-wash px-4 pb-3 pt-2.5 text-sm">
      <p className="font-semibold">{first.title}</p>
      {first.body === '' ? null : <Rendered text={first.body} />}
      <ResolveForm
        storyId={item}
        blocker={first}
        mayRun={false}
        isShort
        {...(questions.length === 1 ? { goOn } : {})}
      />
    </div>
  );
}

const NAMED = 4;

/** Shows what the story waits for, and what waits for it. */
function Neighbours({ answer: { stories }, row }: { answer: EpicRunAnswer; row: RunRow }) {
  const needs = new Set(row.needs);
  const before = stories.filter((it) => needs.has(it.id));
  const after = stories.filter((it) => it.needs.includes(row.id));
  if (before.length + after.length === 0) return null;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 border-t border-line px-4 py-3 text-sm">
      <Named name="Needs" rows={before} />
      <Named name="Holds up" rows={after} />
    </dl>
  );
}

function Named({ name, rows }: { name: string; rows: readonly RunRow[] }): ReactNode {
  if (rows.length === 0) return null;
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd>
        {rows.slice(0, NAMED).map(({ id, title, state }, i) => (
          <span key={id}>
            {i > 0 ? ', ' : null}
            <a href={hrefOf(id)} data-story={id} className="link" title={STATES[state].word}>
              {title}
            </a>
          </span>
        ))}
        {rows.length > NAMED ? ` and ${rows.length - NAMED} more` : ''}
      </dd>
    </>
  );
}
