import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FollowUp } from '@saga-ai/types/plan/follow-up';
import { FOLLOW_UPS_FILE } from '@saga-ai/types/plan/plan-paths';
import { errorCodeOf } from '../errors.ts';
import { withStoryLock } from '../plan/story-lock.ts';
import type { Paths } from '../project/paths.ts';
import { keepProposed, MOST_OPEN } from './draft-box.ts';
import { splitFollowUps } from './split-follow-ups.ts';

export interface TakenFollowUps {
  kept: FollowUp[];
  /** Why a part of the file was not kept, in words. Undefined if everything was kept. */
  refused?: string;
}

/** The most bytes that a file with follow-ups may have. */
export const MOST_BYTES = 64 * 1024;

/**
 * Takes the follow-ups that a run wrote into the story's folder: keeps each as a draft, then removes the file, so that
 * the story does not contain it. If a part of the file cannot be kept as a draft, `keepAside` gets the whole file. May
 * be called again.
 */
export async function takeFollowUps(
  paths: Paths,
  from: { story: string; session: string },
  keepAside: (file: string) => void,
): Promise<TakenFollowUps> {
  return withStoryLock(paths, from.story, async (home) => {
    const file = join(home, FOLLOW_UPS_FILE);
    const read = readBounded(file);
    if (read === undefined) return { kept: [] };
    const refuse = (refused: string, kept: FollowUp[] = []): TakenFollowUps => {
      keepAside(file);
      rmSync(file, { recursive: true, force: true });
      return { kept, refused };
    };
    if ('fault' in read) return refuse(read.fault);
    const { kept, refused } = await keepProposed(paths, from, splitFollowUps(read.text));
    if (refused > 0) return refuse(`${MOST_OPEN} drafts of ${from.story} wait already`, kept);
    rmSync(file, { force: true });
    return { kept };
  });
}

/**
 * Reads the file. A run may have put a link, a pipe or an endless file there, so no link is followed, no pipe is waited
 * for, and the size is limited.
 */
function readBounded(file: string): { text: string } | { fault: string } | undefined {
  let opened: number;
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ENOENT') return undefined;
    return { fault: code === 'ELOOP' ? 'the file is a link' : `the file cannot be read (${code})` };
  }
  try {
    const found = fstatSync(opened);
    if (!found.isFile()) return { fault: 'it is not a file' };
    if (found.size > MOST_BYTES) {
      return { fault: `the file has ${found.size} bytes, more than ${MOST_BYTES}` };
    }
    return { text: readFileSync(opened, 'utf8') };
  } finally {
    closeSync(opened);
  }
}
