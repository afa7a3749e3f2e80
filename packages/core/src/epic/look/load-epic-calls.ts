import { deriveEpicCalls, type SchedulerFacts } from '@saga-ai/types/screens/epic-run/epic-calls';
import type { EpicCall, Overview } from '@saga-ai/types/screens/overview';
import { parseEpicSession } from '@saga-ai/types/words/names';
import { listFolder } from '../../files/list-folder.ts';
import { heldFolder, type Paths } from '../../project/paths.ts';

/** Loads which epics wait for a person. Most projects never ran one, and then no more code is loaded. */
export async function loadEpicCalls(
  paths: Paths,
  { epics }: Pick<Overview, 'epics'>,
): Promise<EpicCall[]> {
  if (epics.every(({ state }) => state === 'done')) return [];
  const names = listFolder(paths.root, paths.sessions);
  const wasRun = names.some((it) => parseEpicSession(it.replace(/\.json$/, '')));
  const known: ReadonlyMap<string, SchedulerFacts> = wasRun
    ? (await import('./load-schedulers.ts')).loadSchedulers(paths)
    : new Map();
  // Another machine of the fleet works on these.
  const held = new Set(listFolder(paths.root, heldFolder(paths)));
  return deriveEpicCalls(epics, (id) =>
    held.has(id) ? { state: 'running', at: null } : known.get(id),
  );
}
