import type { DraftView } from '@saga-ai/types/plan/follow-up';
import { Age } from '../ui/moments.tsx';
import { Command } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';

/** Stories that runs propose. They are drafts: a person accepts or drops each, at a terminal. */
export function ProposedStories({ drafts }: { drafts: readonly DraftView[] }) {
  if (drafts.length === 0) return null;
  return (
    <Section id="drafts" title="Proposed by runs" count={drafts.length}>
      <ul className="panel divide-y divide-line overflow-hidden">
        {drafts.map(({ number, title, from, time, next }) => (
          <li
            key={number}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2"
            data-draft={number}
          >
            <span className="min-w-0 grow basis-64">
              <span className="block truncate font-medium">{title}</span>
              <span className="block text-sm text-faint">
                draft of a run of {from} · <Age time={time} />
              </span>
            </span>
            <Command>{next}</Command>
          </li>
        ))}
      </ul>
    </Section>
  );
}
