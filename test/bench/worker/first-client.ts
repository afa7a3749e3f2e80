import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../rig/programs/run-program.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

/** Milliseconds from the start of a worker to its first client, and what others take of them. */
export interface FirstClient {
  total: number;
  /** `git worktree add`, `git push`, `gh pr list` and `gh pr create`, done by hand beside it. */
  others: number;
  own: number;
}

/** On a fresh worktree of a small repository, with a pull request. */
export async function measureFirstClient(): Promise<FirstClient> {
  await using it = await createWorkshop();
  it.story('before', {}, { one: {} });
  it.story('cart', {}, { one: {} });
  // A worker ran here before, as a rule: Node's compiled code and the client's version are known.
  const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'saga-bench-compile-cache') };
  await it.saga(['worker', 'before'], { env });
  const others = await measureByHand(it);
  const start = Date.now();
  const { code, stderr } = await it.saga(['worker', 'cart'], { env });
  if (code !== 0) throw new Error(`The worker ended with ${code}: ${stderr}`);
  const begun = it.events().find((event) => event.type === 'run:start');
  const total = Date.parse(begun?.time ?? '') - start;
  return { total, others, own: total - others };
}

async function measureByHand(it: Workshop): Promise<number> {
  const worktree = join(it.root, '../project.stories/by-hand');
  const branch = 'story/by-hand';
  it.git('branch', branch);
  let sum = 0;
  const time = async (program: string, args: string[], cwd: string) => {
    const start = performance.now();
    const { code, stderr } = await runCommand(program, args, { cwd, env: it.environment });
    sum += performance.now() - start;
    if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  };
  await time('git', ['worktree', 'add', '-q', worktree, branch], it.root);
  it.git('-C', worktree, 'commit', '-q', '--allow-empty', '-m', 'Begin');
  await time('git', ['push', '-q', '-u', 'origin', branch], worktree);
  const fields = ['--json', 'number,url,state,isDraft', '--limit', '20'];
  await time('gh', ['pr', 'list', '--head', branch, '--state', 'all', ...fields], worktree);
  const text = ['--title', 'By hand', '--body', 'By hand', '--head', branch, '--base', 'main'];
  await time('gh', ['pr', 'create', '--draft', ...text], worktree);
  return sum;
}
