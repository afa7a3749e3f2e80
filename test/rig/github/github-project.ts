import { saveTaskFields } from '@saga-ai/core/plan/stories';
import type { Worker } from '@saga-ai/core/worker/context';
import { ensureDraftPullRequest } from '@saga-ai/core/worker/deliver/pull-request';
import { runGate } from '@saga-ai/core/worker/gate/gate';
import { ensureWorktree } from '@saga-ai/core/worker/prepare/ensure-worktree';
import { createProject, type Project } from '../project/project.ts';
import { GITHUB_URL, type GitHub, startGitHub } from './github.ts';

export interface GitHubProject extends AsyncDisposable {
  it: Project;
  github: GitHub;
  open(config?: object, more?: Partial<Worker>): ReturnType<typeof ensureDraftPullRequest>;
  gate(): ReturnType<typeof runGate>;
  complete(): Promise<void>;
}

/** A project with a story `x`, and GitHub behind its remote. */
export async function createGitHubProject(
  tasks: Record<string, object> = { one: {} },
): Promise<GitHubProject> {
  const it = createProject();
  const github = await startGitHub({ origin: it.origin });
  it.git('remote', 'add', 'github', GITHUB_URL);
  it.story('x', {}, tasks);
  const env = { ...it.env, ...github.environment };
  return {
    it,
    github,
    async open(config = {}, more = {}) {
      const worker = it.worker(config, { env, ...more });
      return ensureDraftPullRequest(worker, await ensureWorktree(worker));
    },
    async gate() {
      const worker = it.worker({}, { env });
      return runGate(worker, await ensureWorktree(worker), [], '9.9.9');
    },
    async complete() {
      const { folder } = await ensureWorktree(it.worker({}, { env }));
      it.write('../project.stories/x/work.txt', 'work\n');
      it.gitIn(folder, 'add', 'work.txt');
      it.gitIn(folder, 'commit', '-q', '-m', 'Work');
      for (const id of Object.keys(tasks))
        await saveTaskFields(it.paths, 'x', id, { status: 'completed' });
    },
    async [Symbol.asyncDispose]() {
      await github[Symbol.asyncDispose]();
      it[Symbol.dispose]();
    },
  };
}
