import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import { notFound } from '@saga-ai/core/plan/not-found';
import { findCriticalPath } from '@saga-ai/types/plan/graph';
import type { EpicAnswer } from '@saga-ai/types/screens/dashboard';

export function buildEpic({ paths, overview }: LiveProject, id: string): EpicAnswer {
  const view = overview.epic(id);
  if (!view) throw notFound(paths, id);
  const children = view.children.map((child) => child.id);
  const isOpen = (child: string) =>
    (overview.story(child) ?? overview.epic(child))?.state !== 'done';
  return {
    epic: { ...view, description: overview.epicFile(id)?.description ?? '' },
    stories: children.flatMap((child) => overview.story(child) ?? []),
    epics: children.flatMap((child) => overview.epic(child) ?? []),
    criticalPath: findCriticalPath(view.children.filter(({ id: child }) => isOpen(child))),
  };
}
