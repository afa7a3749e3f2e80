import { parseSession } from '@saga-ai/types/words/names';
import { sweepDeadTemps } from '../../files/atomic-write.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { sweepDeadPrepared } from '../../processes/lock.ts';
import { endOrphans } from '../../processes/stop-program.ts';
import { type Paths, trashWorkFolder } from '../../project/paths.ts';

/**
 * Removes what killed workers left: the running programs of this story's workers and the files of any worker. The
 * caller must hold the story's lock. Files of living processes stay.
 */
export async function sweepLitter(paths: Paths, storyId: string): Promise<void> {
  await endOrphans(paths.repository, (session) => parseSession(session)?.storyId === storyId);
  removeTree(trashWorkFolder(paths, storyId));
  sweepDeadPrepared(paths.locks);
  sweepDeadTemps(paths.sessions);
}
