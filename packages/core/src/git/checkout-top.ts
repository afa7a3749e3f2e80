import { SagaError } from '../errors.ts';
import { quote } from '../project/quote.ts';

/** Arguments with which git names the top folder of a checkout and its own folder for that checkout. */
export const ASK_TOP = ['rev-parse', '--show-toplevel', '--absolute-git-dir'] as const;

/** Reads the answer to ASK_TOP. */
export function parseTop(printed: string): { top: string; gitFolder: string } {
  const [top = '', gitFolder = ''] = printed.split('\n');
  return { top, gitFolder };
}

/**
 * Builds the error for a folder that is not the top of a checkout. git searches the parent folders, so in a broken
 * worktree it would find, and change, the main checkout.
 */
export function notTheTop(folder: string, top: string): SagaError {
  return new SagaError(
    'worktree-taken',
    `${folder} is no longer a worktree: git treats it as a part of ${top}.`,
    adviseMove(folder),
  );
}

/** Returns the hint for an error about something else in the place of a worktree. */
export const adviseMove = (folder: string) =>
  `Check what it contains, then move it away: mv ${quote(folder)} ${quote(`${folder}.old`)}`;
