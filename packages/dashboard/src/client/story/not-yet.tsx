import type { StoryAnswer } from '@saga-ai/types/screens/dashboard';
import { Section } from '../ui/section.tsx';

/** One line for all parts of the page that a worker has yet to fill. */
export function NotYet({ answer: { evidence, diff, sessions } }: { answer: StoryAnswer }) {
  const parts = [
    ...(evidence === null ? ['The gate runs when all tasks are completed.'] : []),
    ...(diff === null ? ['There is no branch yet.'] : []),
    ...(sessions.length === 0 ? ['It was never run here.'] : []),
  ];
  if (parts.length === 0) return null;
  return (
    <Section id="not-yet" title="Not yet">
      <p className="text-sm text-faint">{parts.join(' ')}</p>
    </Section>
  );
}
