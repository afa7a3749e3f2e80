import type { DraftView } from '@saga-ai/types/plan/follow-up';
import { useCallback, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Age } from '../ui/moments.tsx';
import { Section } from '../ui/section.tsx';
import { DraftDialog } from './draft-dialog.tsx';
import { dropDraft } from './draft-queries.ts';
import { useDraftAction } from './use-draft-action.ts';

/** Stories that runs propose. They are drafts: a person accepts or drops each. */
export function ProposedStories({ drafts }: { drafts: readonly DraftView[] }) {
  const [shown, setShown] = useState<number>();
  const close = useCallback(() => setShown(undefined), []);
  return (
    <>
      {drafts.length === 0 ? null : (
        <Section id="drafts" title="Proposed by runs" count={drafts.length}>
          <ul className="panel divide-y divide-line overflow-hidden">
            {drafts.map((draft) => (
              <DraftRow key={draft.number} draft={draft} look={() => setShown(draft.number)} />
            ))}
          </ul>
        </Section>
      )}
      {shown === undefined ? null : <DraftDialog number={shown} close={close} />}
    </>
  );
}

function DraftRow({ draft, look }: { draft: DraftView; look: () => void }) {
  const { number, title, from, time } = draft;
  const drop = useDraftAction(() => dropDraft(number));
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2" data-draft={number}>
      <span className="min-w-0 grow basis-64">
        <span className="block truncate font-medium">{title}</span>
        <span className="block text-sm text-faint">
          draft {number} of a run of {from} · <Age time={time} />
        </span>
      </span>
      <span className="flex gap-2">
        <Button onClick={look}>
          Accept …<span className="sr-only"> draft {number}</span>
        </Button>
        <Button look="danger" disabled={drop.isPending} onClick={() => drop.mutate()}>
          Drop<span className="sr-only"> draft {number}</span>
        </Button>
      </span>
    </li>
  );
}
