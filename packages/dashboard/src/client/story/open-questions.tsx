import type { ReadEntry } from '@saga-ai/types/plan/journal';
import type { StoryAnswer } from '@saga-ai/types/screens/dashboard';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { Rendered } from '../markdown/rendered.tsx';
import { Age } from '../ui/moments.tsx';
import { Section } from '../ui/section.tsx';
import { Silence, StallAdvice } from '../ui/stall-advice.tsx';
import { ResolveForm } from './resolve-form.tsx';

/** Everything that a person must decide, above the rest of the page. */
export function OpenQuestions({ answer }: { answer: StoryAnswer }) {
  const { view, openBlockers } = answer;
  const others = (view.needsYou ?? []).filter(({ kind }) => kind !== 'blocker');
  if (openBlockers.length + others.length === 0) return null;
  // If there is only one question and no other hindrance, the answer lets the story run.
  const mayRun = openBlockers.length === 1 && view.hindrances.every((it) => it === 'blocker');
  return (
    <Section id="needs-you" title="Needs you">
      <ul className="grid gap-3">
        {openBlockers.map((entry) => (
          <li
            key={entry.id}
            className="panel overflow-hidden border-l-[3px] border-l-needs-you px-4 py-3"
          >
            <Question view={view} entry={entry} mayRun={mayRun} />
          </li>
        ))}
        {others.map(({ kind, title, since, isAsked }) => (
          <li
            key={`${kind} ${title}`}
            className="panel border-l-[3px] border-l-needs-you px-4 py-2.5 text-sm"
          >
            <span className="font-medium">{WORDS[kind] ?? kind}:</span>{' '}
            {kind === 'stalled' && since !== undefined ? (
              <>
                <Silence since={since} isAsked={isAsked} />
                <p className="mt-1 text-soft">
                  <StallAdvice storyId={view.id} />
                </p>
              </>
            ) : (
              title
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const WORDS: Record<string, string> = {
  gate: 'The gate failed',
  escalated: 'Tried too often',
  copies: 'Two copies of the plan',
  stalled: 'Stalled',
  unreadable: 'Broken',
  credential: 'Refused',
};

interface QuestionProps {
  view: StoryView;
  entry: ReadEntry;
  mayRun: boolean;
}

function Question({ view, entry, mayRun }: QuestionProps) {
  return (
    <>
      <h3 className="font-semibold">
        <span aria-hidden="true" className="mr-2 text-needs-you">
          !
        </span>
        {entry.title}
      </h3>
      {entry.time ? (
        <p className="text-xs text-faint">
          blocker · <Age time={entry.time} />
        </p>
      ) : null}
      {entry.body ? (
        <div className="mt-2">
          <Rendered text={entry.body} />
        </div>
      ) : null}
      <ResolveForm storyId={view.id} blocker={entry} mayRun={mayRun} />
    </>
  );
}
