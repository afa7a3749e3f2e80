import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Advice } from '@saga-ai/types/plan/advice';
import { SagaError } from '../errors.ts';
import { removeTree } from '../files/remove-tree.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { type Environment, runProgram } from '../processes/run.ts';
import { isOver, type LintedPlan } from './linted-plan.ts';
import { listSome } from './list-some.ts';

interface TryRequest {
  root: string;
  env: Environment;
  /** The commit that stories would start from. */
  commit: string;
  /** `worktree.setup`. */
  setup: string | null;
  timeoutMs: number;
  stop: AbortSignal;
}

/**
 * Runs every verify command of the plan once, in a clone of the base in a temporary folder. A command that
 * fails there would fail the gate of every story, even if its runs do everything right.
 */
export async function tryVerify(plan: LintedPlan, request: TryRequest): Promise<Advice[]> {
  const commands = new Map<string, string[]>();
  for (const it of plan.stories) {
    const command = it.story.verify ?? plan.verify;
    if (command === null || isOver(it)) continue;
    commands.set(command, [...(commands.get(command) ?? []), it.story.id]);
  }
  if (commands.size === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'saga-try-'));
  try {
    const checkout = await cloneBase(request, join(folder, 'base'));
    const advice: Advice[] = [];
    for (const [command, stories] of commands) {
      const end = await runCommand(command, checkout, request);
      if (end === undefined) continue;
      const [only] = stories;
      advice.push({
        rule: 'verify-fails',
        story: stories.length === 1 && only !== undefined ? only : undefined,
        message: `${command} ${end} on the base already (verify of ${listSome(stories)}).`,
        remedy: 'Make it pass on the base first, or name a command that does.',
      });
    }
    return advice;
  } finally {
    removeTree(folder);
  }
}

async function cloneBase(request: TryRequest, target: string): Promise<string> {
  const { root, env, commit, setup } = request;
  const git = openPlainGit(root, env);
  await git.run(['clone', '-q', '--shared', '--no-checkout', root, target]);
  await openPlainGit(target, env).run(['checkout', '-q', '--detach', commit]);
  const end = setup === null ? undefined : await runCommand(setup, target, request);
  if (end === undefined) return target;
  throw new SagaError(
    'setup-failed',
    `The setup command ${end} on the base: ${setup}`,
    'Correct worktree.setup, then try again: saga config worktree.setup',
  );
}

/** Returns how a command failed; undefined if it passed. */
async function runCommand(
  command: string,
  cwd: string,
  { env, timeoutMs, stop }: TryRequest,
): Promise<string | undefined> {
  const { code, timedOut } = await runProgram('sh', ['-c', command], { cwd, env, timeoutMs, stop });
  if (stop.aborted) {
    throw new SagaError('usage', 'Stopped before all commands were tried.', 'Run it again.');
  }
  if (timedOut) return `took longer than ${Math.round(timeoutMs / 60_000)} min`;
  return code === 0 ? undefined : `ended with code ${code}`;
}
