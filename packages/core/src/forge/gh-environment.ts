import { withoutStrayGit } from '../git/git.ts';
import type { Environment } from '../processes/run.ts';

/** The environment in which gh asks nobody anything. SAGA parses its messages, and gh asks git which repository this is. */
export const quietGh = (env: Environment): Environment => ({
  ...withoutStrayGit(env),
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
  GIT_TERMINAL_PROMPT: '0',
  NO_COLOR: '1',
});
