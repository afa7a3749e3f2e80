import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseSession } from '@saga-ai/types/words/names';
import { sweepDeadTemps } from '../../files/atomic-write.ts';
import { listNames } from '../../files/list-folder.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { isProcessGone, parseIdentity } from '../../processes/identity.ts';
import { sweepDeadPrepared } from '../../processes/lock.ts';
import { endOrphans } from '../../processes/stop-program.ts';
import { type Paths, trashWorkFolder } from '../../project/paths.ts';
import { GUARD_FILE } from '../run/guard.ts';

/**
 * Removes what killed workers left: the running programs of this story's workers and the files of any worker. The
 * caller must hold the story's lock. Files of living processes stay.
 */
export async function sweepLitter(paths: Paths, storyId: string): Promise<void> {
  await endOrphans(paths.root, (session) => parseSession(session)?.storyId === storyId);
  removeTree(trashWorkFolder(paths, storyId));
  sweepDeadPrepared(paths.locks);
  sweepDeadTemps(paths.sessions);
  for (const name of listNames(paths.runs)) {
    const owner = parseIdentity(GUARD_FILE.exec(name)?.[1] ?? '');
    if (owner && isProcessGone(owner)) rmSync(join(paths.runs, name), { force: true });
  }
}
