import { limitNetwork, type NetworkLimits, withoutStrayGit } from '../git/git.ts';
import { type Environment, type ProgramResult, runProgram } from '../processes/run.ts';
import { buildRefusal } from './gh-refusal.ts';

export interface GhLimits {
  timeoutMs?: number;
  limits?: NetworkLimits | undefined;
  /** If the output is longer than this, only its end is kept. */
  maxOutput?: number;
}

/** gh in one folder. SAGA starts gh nowhere else. */
export interface GhProgram {
  /** Returns what gh printed. Throws a `GhRefusal` if gh fails, or prints more than SAGA reads. */
  call(args: readonly string[], input?: string): Promise<string>;
  /** Returns how gh ended, whatever that is. */
  attempt(args: readonly string[], input?: string): Promise<ProgramResult>;
}

const NETWORK_MS = 60_000;

export function openGhProgram(
  folder: string,
  env: Environment,
  { timeoutMs = NETWORK_MS, limits, maxOutput }: GhLimits = {},
): GhProgram {
  const options = {
    cwd: folder,
    env: quietGh(env),
    timeoutMs,
    ...limitNetwork(limits, 'delivering'),
    maxOutput,
  };
  const attempt: GhProgram['attempt'] = (args, input = '') =>
    runProgram('gh', args, { ...options, input });
  return {
    attempt,
    async call(args, input) {
      const result = await attempt(args, input);
      if (result.isCut || result.code !== 0) throw buildRefusal(result);
      return result.stdout;
    },
  };
}

/** The environment in which gh asks nobody anything. SAGA parses its messages, and gh asks git which repository this is. */
const quietGh = (env: Environment): Environment => ({
  ...withoutStrayGit(env),
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
  GIT_TERMINAL_PROMPT: '0',
  NO_COLOR: '1',
});
