import type { SessionSummary } from '@saga-ai/types/screens/dashboard';
import type { StoryView } from '@saga-ai/types/screens/overview';

/** What helps, in words. Empty if there is nothing to say but the command. */
export function remedyOf(story: StoryView): string {
  const { remedy } = story as { remedy?: unknown };
  return typeof remedy === 'string' ? remedy : '';
}

/** What to do about the error that ended a session. */
export function hintOf({ hint }: SessionSummary): string {
  return typeof hint === 'string' ? hint : '';
}
