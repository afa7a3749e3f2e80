import { findOpenBlockers, type JournalKind, type ReadEntry } from '@saga-ai/types/plan/journal';
import type { Tone } from '@saga-ai/types/screens/story-state';
import { Rendered } from '../markdown/rendered.tsx';
import { WASH } from '../state/tone-classes.ts';
import { formatMoment } from '../text/times.ts';
import { Section } from '../ui/section.tsx';

export function JournalSection({ entries }: { entries: readonly ReadEntry[] }) {
  const open = new Set(findOpenBlockers(entries));
  return (
    <Section id="journal" title="Journal" count={entries.length}>
      {entries.length === 0 ? (
        <p className="text-sm text-faint">The journal is empty.</p>
      ) : (
        <ol className="grid gap-4">
          {entries.map((entry) => (
            <li key={entry.id} className="grid gap-x-5 sm:grid-cols-[6rem_1fr]">
              <p className="pt-0.5 text-xs text-faint">
                {entry.time ? <time dateTime={entry.time}>{formatMoment(entry.time)}</time> : null}
              </p>
              <Entry entry={entry} isOpen={open.has(entry)} />
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

const TONES: Record<JournalKind, Tone> = {
  Decision: 'plain',
  Diversion: 'waiting',
  Blocker: 'plain',
  Resolution: 'done',
  Learning: 'plain',
  Feedback: 'waiting',
  Note: 'plain',
};

function Entry({ entry, isOpen }: { entry: ReadEntry; isOpen: boolean }) {
  const tone = isOpen ? 'needs-you' : TONES[entry.kind];
  return (
    <article className="min-w-0">
      <h3 className="flex flex-wrap items-baseline gap-x-2 gap-y-1 font-medium">
        <span className={`rounded-full px-2 text-xs ${WASH[tone]}`}>
          {isOpen ? '! ' : ''}
          {entry.kind}
          {isOpen ? ', open' : ''}
        </span>
        {entry.title}
      </h3>
      {entry.body === '' ? null : (
        <div className="mt-1 text-soft">
          <Rendered text={entry.body} />
        </div>
      )}
    </article>
  );
}
