import type { CheckAnswer, DraftProblem } from '@saga-ai/types/screens/planning';
import type { ReactNode } from 'react';
import { count } from '../text/amounts.ts';
import { Hint } from '../ui/hint.tsx';
import type { Check } from './use-check.ts';

interface DraftRemarksProps {
  check: Check;
  /** Goes to a line of the text. */
  showLine?: ((line: number) => void) | undefined;
  /** Goes to a field of the form, by its path. */
  showField?: ((path: string) => void) | undefined;
}

/** At most this many remarks of each kind are shown. */
const MOST = 50;

/** Shows the problems of a draft and the advice on it, beside the draft. */
export function DraftRemarks({ check, ...places }: DraftRemarksProps) {
  const { answer, isCurrent, error } = check;
  if (error) return <Remark kind="wrong" message={error.message} hint="The draft is kept." />;
  if (!answer) return <p className="text-sm text-faint">Checking …</p>;
  const remarks = listRemarks(answer);
  return (
    <div aria-busy={!isCurrent} className="grid gap-3 aria-busy:opacity-70">
      <p role="status" className="text-sm font-medium">
        <Summary answer={answer} />
      </p>
      {remarks.length > 0 ? (
        <ul
          aria-label="Remarks"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
          tabIndex={0}
          className="relative grid max-h-[28rem] gap-2.5 overflow-y-auto"
        >
          {remarks.map(({ key, ...it }) => (
            <li key={key}>
              <Remark
                kind={it.kind}
                message={it.message}
                hint={it.hint}
                place={placeOf(it, places)}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** Problems first; the same slip may stand in several lines, so its number is part of its key. */
function listRemarks({ problems, notes, advice }: CheckAnswer) {
  const wrong = problems.map((it) => ({ ...it, kind: 'wrong' as const }));
  const noted = notes.map((it) => ({ ...it, kind: 'advice' as const }));
  const advised = advice.map((it) => ({ ...it, kind: 'advice' as const, hint: it.remedy }));
  return [wrong, noted, advised].flatMap((list, group) =>
    list.slice(0, MOST).map((it, index) => ({ ...it, key: `${group} ${index}` })),
  );
}

function Summary({ answer: { problems, advice, notes } }: { answer: CheckAnswer }) {
  const hints = advice.length + notes.length;
  const advised = hints > 0 ? ` · ${count(hints, 'piece of advice', 'pieces of advice')}` : '';
  if (problems.length === 0) {
    return (
      <>
        <span className="text-done">✓ Valid</span>
        <span className="text-soft">{advised}</span>
      </>
    );
  }
  return (
    <>
      <span className="text-needs-you">✗ {count(problems.length, 'problem')}</span>
      <span className="text-soft">{advised}</span>
    </>
  );
}

function placeOf(
  { line, field }: Pick<DraftProblem, 'line' | 'field'>,
  { showLine, showField }: Omit<DraftRemarksProps, 'check'>,
): ReactNode {
  if (showLine && line !== undefined) {
    return (
      <button type="button" className="link font-mono text-xs" onClick={() => showLine(line)}>
        line {line}
      </button>
    );
  }
  if (showField && field !== undefined) {
    return (
      <button type="button" className="link text-xs" onClick={() => showField(field)}>
        show<span className="sr-only"> {field}</span>
      </button>
    );
  }
  return null;
}

interface RemarkProps {
  kind: 'wrong' | 'advice';
  message: string;
  hint: string;
  place?: ReactNode;
}

function Remark({ kind, message, hint, place = null }: RemarkProps) {
  const [glyph, tone, edge] =
    kind === 'wrong'
      ? ['✗', 'text-needs-you', 'border-l-needs-you']
      : ['!', 'text-waiting', 'border-l-waiting'];
  return (
    <div className={`border-l-2 pl-2.5 text-sm ${edge}`}>
      <p>
        <span aria-hidden="true" className={`mr-1.5 font-glyph font-semibold ${tone}`}>
          {glyph}
        </span>
        <span className="sr-only">{kind === 'wrong' ? 'Problem: ' : 'Advice: '}</span>
        {message} {place}
      </p>
      {hint === '' ? null : (
        <p className="text-soft">
          <Hint text={hint} />
        </p>
      )}
    </div>
  );
}
