import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyCommit } from '@saga-ai/core/worker/gate/verify-commit';
import { ensureWorktree } from '@saga-ai/core/worker/prepare/ensure-worktree';
import { createProject } from '../../rig/project/project.ts';

/** Milliseconds of one verify command that does nothing. */
export interface VerifyCost {
  clean: number[];
  plain: number[];
}

const FOLDERS = 1000;
const FILES = 50;

/** What setup makes in the worktree: 50,000 files that git ignores. */
const SETUP = `node -e '
const { mkdirSync, writeFileSync } = require("node:fs");
for (let i = 0; i < ${FOLDERS}; i++) {
  mkdirSync("node_modules/p" + i, { recursive: true });
  for (let j = 0; j < ${FILES}; j++) writeFileSync("node_modules/p" + i + "/" + j + ".js", "module.exports = " + j);
}'`;

/** Verify in a clean checkout without setup, which takes its own time, and in the worktree, in turn. */
export async function measureCleanVerify(rounds: number): Promise<VerifyCost> {
  using it = createProject();
  it.write('.gitignore', 'node_modules\n');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Ignore');
  it.git('push', '-q');
  it.story('x');
  const worktree = await ensureWorktree(it.worker({ worktree: { setup: SETUP } }));
  const cost: VerifyCost = { clean: [], plain: [] };
  for (let round = 0; round < rounds; round++) {
    writeFileSync(join(worktree.folder, 'work.js'), `${round}\n`);
    it.gitIn(worktree.folder, 'add', '-A');
    it.gitIn(worktree.folder, 'commit', '-q', '-m', `Round ${round}`);
    const head = it.gitIn(worktree.folder, 'rev-parse', 'HEAD').trim();
    for (const kind of ['clean', 'plain'] as const) {
      const start = performance.now();
      const worker = it.worker({ gate: { clean: kind === 'clean' } });
      const { check } = await verifyCommit(worker, worktree, { head, command: 'test -f work.js' });
      if (check.outcome !== 'passed') throw new Error(check.detail);
      cost[kind].push(performance.now() - start);
    }
  }
  return cost;
}
