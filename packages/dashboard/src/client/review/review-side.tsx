import type { ReviewAnswer } from '@saga-ai/types/screens/review/review';
import { useState } from 'react';
import { EvidenceSection } from '../story/evidence-section.tsx';
import { JournalSection } from '../story/journal-section.tsx';
import { Segments } from '../ui/segments.tsx';

const TABS = [
  ['evidence', 'Evidence'],
  ['journal', 'Journal'],
] as const;

/** Shows, beside the diff, what the gate checked and what the journal says. */
export function ReviewSide({ answer }: { answer: ReviewAnswer }) {
  const [tab, setTab] = useState<(typeof TABS)[number][0]>('evidence');
  const { evidence, journal, isChecked } = answer;
  return (
    <div className="grid content-start gap-3 p-3">
      <div>
        <Segments label="Beside the diff" options={TABS} value={tab} onChange={setTab} />
      </div>
      {tab === 'journal' ? (
        <JournalSection entries={journal} />
      ) : evidence ? (
        <EvidenceSection
          evidence={evidence}
          isUnverified={!evidence.verify}
          isCurrent={isChecked}
        />
      ) : (
        <p className="text-sm text-faint">There is no evidence: its gate has not run.</p>
      )}
    </div>
  );
}
