import { type Finding, ok, problem, warning } from '@saga-ai/types/screens/finding';
import { isAtLeast } from '../agents/claude/client-features.ts';
import { SagaError } from '../errors.ts';
import { openGh } from '../forge/gh.ts';
import { openGit } from '../git/git.ts';
import { findOnPath } from '../processes/find-program.ts';
import type { Environment } from '../processes/run.ts';
import { openTmux } from '../sessions/tmux.ts';

const OLDEST_NODE = '22.18.0';
/** `git worktree` is older; since then it repairs and lists what we rely on. */
const OLDEST_GIT = '2.31.0';

export function checkNode(version: string): Finding {
  const number = version.replace(/^v/, '');
  if (isAtLeast(number, OLDEST_NODE)) return ok('node', number);
  return problem(
    'node',
    `${number} is too old; SAGA needs 22.18 or later`,
    'Install a current Node',
  );
}

/** There, recent enough, and able to commit. */
export async function checkGit(folder: string, env: Environment): Promise<Finding> {
  try {
    const git = openGit(folder, env);
    const [said, author] = await Promise.all([
      git.run(['--version']),
      git.attempt(['var', 'GIT_AUTHOR_IDENT']),
    ]);
    const version = /\d+\.\d+(\.\d+)?/.exec(said)?.[0] ?? said;
    if (!isAtLeast(version, OLDEST_GIT)) {
      return problem('git', `${version} is too old for worktrees as SAGA uses them`, 'Update git');
    }
    if (author.code === 0) return ok('git', `${version} (worktrees)`);
    const fix = 'git config --global user.name "…" && git config --global user.email "…"';
    return problem('git', `${version} does not know who commits`, fix);
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    const isMissing = findOnPath('git', env) === undefined;
    return problem('git', isMissing ? 'not installed' : error.message, 'Install git');
  }
}

export async function checkTmux(folder: string, env: Environment): Promise<Finding> {
  try {
    return ok('tmux', await openTmux(folder, env).version());
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    const fix = 'Install tmux, or run stories in your terminal: saga run <story> --foreground';
    return warning('tmux', 'not installed: saga run cannot start a session', fix);
  }
}

export async function checkGh(folder: string, env: Environment): Promise<Finding> {
  const version = await openGh(folder, env).version();
  if (version !== undefined) return ok('gh', version);
  return warning('gh', 'not installed: no pull requests', 'See https://cli.github.com');
}
