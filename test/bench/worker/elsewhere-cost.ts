import { execFileSync } from 'node:child_process';
import { settleElsewhere } from '@saga-ai/core/worker/elsewhere/settle-elsewhere';
import { takeSnapshot } from '@saga-ai/core/worker/elsewhere/snapshot';
import { ensureWorktree } from '@saga-ai/core/worker/prepare/ensure-worktree';
import { createProject } from '../../rig/project/project.ts';

/** How long it takes to remember what lies outside a worktree and to compare it, with many refs. */
export async function measureElsewhere(
  refs: number,
  rounds: number,
  { isPacked }: { isPacked: boolean },
): Promise<number[]> {
  using it = createProject();
  it.story('x');
  const worker = it.worker();
  const worktree = await ensureWorktree(worker);
  const head = it.git('rev-parse', 'HEAD').trim();
  const names = Array.from({ length: refs }, (_, i) => `create refs/heads/topic/b${i} ${head}\n`);
  execFileSync('git', ['update-ref', '--stdin'], { cwd: it.root, input: names.join('') });
  if (isPacked) it.git('pack-refs', '--all');
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    const before = await takeSnapshot(worker, worktree);
    await settleElsewhere(worker, worktree, before, 'bench');
    times.push(performance.now() - start);
  }
  return times;
}
