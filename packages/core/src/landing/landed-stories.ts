import { layOut } from '../epic/layout.ts';
import { readEpics } from '../plan/epics.ts';
import type { Paths } from '../project/paths.ts';

/** Lists the stories that are landed together: the story itself, or all below the epic. */
export function listLandedStories(paths: Paths, kind: 'story' | 'epic', id: string): string[] {
  return kind === 'story' ? [id] : listBelow(paths, id, 'story');
}

/** Lists the epics that are landed together: the epic and those inside it. */
export function listLandedEpics(paths: Paths, kind: 'story' | 'epic', id: string): string[] {
  return kind === 'story' ? [] : [id, ...listBelow(paths, id, 'epic')];
}

function listBelow(paths: Paths, id: string, kind: 'story' | 'epic'): string[] {
  const epics = new Map(readEpics(paths).epics.map((it) => [it.id, it]));
  return layOut(id, epics)
    .filter((it) => it.kind === kind)
    .map((it) => it.id);
}
