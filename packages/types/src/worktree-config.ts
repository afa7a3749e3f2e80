import * as z from 'zod/mini';
import { WORKTREE_FOLDER } from './words/names.ts';

const text = z.string().check(z.minLength(1));
const optionalText = z._default(z.nullable(text), null);

/** The settings of worktrees: a part of `Config`. */
export const WorktreeConfig = z.prefault(
  z.strictObject({
    folder: z
      ._default(text, WORKTREE_FOLDER)
      .check(
        z.describe(
          'The folder for worktrees of stories: relative to the main checkout, absolute, or beginning with ~. <repository> stands for the name of its folder.',
        ),
      ),
    baseBranch: optionalText.check(
      z.describe(
        'The branch that stories start from and are merged into. null: the default branch of the repository.',
      ),
    ),
    setup: optionalText.check(
      z.describe(
        'Shell command that is run once in each new worktree, and again if the command changes.',
      ),
    ),
    keepUpToDate: z
      ._default(z.boolean(), false)
      .check(
        z.describe(
          'Merge the base into the branch of a story before its gate if the base has moved on. A conflict goes to a run.',
        ),
      ),
  }),
  {},
);
