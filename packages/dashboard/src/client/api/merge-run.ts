import type { EpicRunReply } from '@saga-ai/types/screens/epic-run/epic-run';

/**
 * Puts changed stories into the answer that the page has. All others stay the same objects, so they are not drawn
 * again.
 */
export function mergeRun(before: EpicRunReply | undefined, reply: EpicRunReply): EpicRunReply {
  if (!reply.isPart || !before) return reply;
  const changed = new Map(reply.stories.map((it) => [it.id, it]));
  const stories =
    changed.size === 0 ? before.stories : before.stories.map((it) => changed.get(it.id) ?? it);
  return { ...reply, stories };
}
