import { type Finding, ok, problem, warning } from '@saga-ai/types/screens/finding';
import { isAtLeast } from '@saga-ai/types/words/versions';
import { SagaError } from '../errors.ts';
import { openGh } from '../forge/gh.ts';
import type { Environment } from '../processes/run.ts';
import { hasSshKeygen } from '../seal/ssh-keygen.ts';
import { openTmux } from '../sessions/tmux.ts';

const OLDEST_NODE = '22.18.0';

export function checkNode(version: string): Finding {
  const number = version.replace(/^v/, '');
  if (isAtLeast(number, OLDEST_NODE)) return ok('node', number);
  return problem(
    'node',
    `${number} is too old; SAGA needs 22.18 or later`,
    'Install a current Node',
  );
}

export async function checkTmux(folder: string, env: Environment): Promise<Finding> {
  try {
    return ok('tmux', await openTmux(folder, env, 'saga').version());
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

/** Reports that evidence cannot be signed. Returns [] if it can. */
export function checkSshKeygen(env: Environment): Finding[] {
  if (hasSshKeygen(env)) return [];
  const what = 'ssh-keygen is not installed: evidence is not signed';
  return [warning('evidence', what, 'Install the package openssh-client')];
}
