import type { EpicRunAnswer, HoldUp } from '@saga-ai/types/screens/epic-run/epic-run';
import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { ActionResult } from '../actions/action-result.tsx';
import { useStoryAction } from '../actions/use-story-action.ts';
import { Rendered } from '../markdown/rendered.tsx';
import { ResolveForm } from '../story/resolve-form.tsx';
import { count } from '../text/amounts.ts';
import { Button } from '../ui/button.tsx';
import { Hint } from '../ui/hint.tsx';
import { Age } from '../ui/moments.tsx';
import { Section } from '../ui/section.tsx';
import { useGoOn } from './use-epic-action.ts';

interface HoldUpsProps {
  epicId: string;
  answer: EpicRunAnswer;
}

/** How many are shown at first. Those that cut off most stories come first. */
const SHOWN = 5;

/** Shows what only a person can help, the most costly first. */
export function HoldUps({ epicId, answer }: HoldUpsProps) {
  const { holdUps } = answer;
  const [showsAll, setShowsAll] = useState(false);
  const goOn = useGoOn(epicId, answer);
  if (holdUps.length === 0) return null;
  const shown = showsAll ? holdUps : holdUps.slice(0, SHOWN);
  return (
    <Section id="holds-up" title="What holds it up" count={holdUps.length}>
      <ul className="panel divide-y divide-line overflow-hidden border-l-[3px] border-l-needs-you">
        {shown.map((holdUp) => (
          <li key={holdUp.item} className="px-4 py-3">
            <Card holdUp={holdUp} goOn={goOn} />
          </li>
        ))}
      </ul>
      {shown.length < holdUps.length ? (
        <Button className="mt-2" onClick={() => setShowsAll(true)}>
          Show {holdUps.length - shown.length} more
        </Button>
      ) : null}
    </Section>
  );
}

interface CardProps {
  holdUp: HoldUp;
  /** Lets the epic go on after an answer. */
  goOn: () => void;
}

function Card({ holdUp, goOn }: CardProps) {
  const { item, title, view, questions, reasons, since } = holdUp;
  const [first, ...more] = questions;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h3 className="font-semibold">{first?.title ?? reasons[0]}</h3>
        <Cost holdUp={holdUp} />
      </div>
      <p className="text-xs text-faint">
        <Link to={view ? '/stories/$id' : '/epics/$id'} params={{ id: item }} className="link">
          {title}
        </Link>{' '}
        {first ? 'asks' : 'needs you'}
        {since === null ? null : (
          <>
            {' · '}
            <Age time={since} />
          </>
        )}
        {more.length > 0 ? ` · ${count(more.length, 'more question')} on its page` : null}
      </p>
      {first ? (
        <>
          {first.body === '' ? null : (
            <div className="mt-1.5 text-sm">
              <Rendered text={first.body} />
            </div>
          )}
          <ResolveForm
            storyId={item}
            blocker={first}
            mayRun={false}
            isShort
            {...(more.length === 0 ? { goOn } : {})}
          />
        </>
      ) : (
        <Help holdUp={holdUp} />
      )}
    </>
  );
}

/** Shows what it costs to leave a hold-up. */
const Cost = memo(function Cost({ holdUp: { cutsOff, isCritical } }: { holdUp: HoldUp }) {
  const parts = [
    ...(cutsOff.length > 0 ? [`holds up ${count(cutsOff.length, 'story', 'stories')}`] : []),
    ...(isCritical ? ['on the critical path'] : []),
  ];
  if (parts.length === 0) return null;
  return (
    <span
      title={cutsOff.length > 0 ? `Holds up ${cutsOff.join(', ')}` : undefined}
      className="rounded-full bg-needs-you-wash px-2 py-px text-xs font-medium text-needs-you"
    >
      {parts.join(' · ')}
    </span>
  );
});

function Help({ holdUp: { view, reasons } }: { holdUp: HoldUp }) {
  const retry = useStoryAction(view?.id ?? '');
  return (
    <div className="mt-1 text-sm text-soft">
      {reasons.slice(1).map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {view?.remedy ? (
        <p>
          <Hint text={view.remedy} />
        </p>
      ) : null}
      {view?.hindrances.length === 0 ? (
        <p className="mt-2 flex flex-wrap items-center gap-3">
          <Button
            disabled={retry.isPending || retry.isSuccess}
            onClick={() => retry.mutate({ verb: 'run' })}
          >
            <span aria-hidden="true">▸</span> Try again
            <span className="sr-only"> {view.title}</span>
          </Button>
          <ActionResult action={retry} />
        </p>
      ) : null}
    </div>
  );
}
