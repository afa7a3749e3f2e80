import { layOut } from '../epic/layout.ts';
import { readEpics } from '../plan/epics.ts';
import type { Paths } from '../project/paths.ts';

/** Lists the stories that are landed together: the story itself, or all below the epic. */
export function listLandedStories(paths: Paths, kind: 'story' | 'epic', id: string): string[] {
  if (kind === 'story') return [id];
  const epics = new Map(readEpics(paths).epics.map((it) => [it.id, it]));
  return layOut(id, epics)
    .filter((it) => it.kind === 'story')
    .map((it) => it.id);
}
