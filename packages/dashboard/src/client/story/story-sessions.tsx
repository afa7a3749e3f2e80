import type { SessionSummary } from '@saga-ai/types/screens/dashboard';
import { SessionTable } from '../sessions/session-table.tsx';
import { Section } from '../ui/section.tsx';

export function StorySessions({ sessions }: { sessions: readonly SessionSummary[] }) {
  return (
    <Section id="sessions" title="Sessions" count={sessions.length}>
      <SessionTable sessions={sessions} />
    </Section>
  );
}
