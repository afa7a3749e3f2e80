import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { openGit } from '@saga-ai/core/git/git';
import type { Worktree } from '@saga-ai/core/git/worktree';
import { createEnclosure, quarantineOf, removeEnclosure } from '@saga-ai/core/sandbox/enclosure';
import { findBubblewrap } from '@saga-ai/core/sandbox/find-bubblewrap';
import { takeOver } from '@saga-ai/core/sandbox/git-quarantine';
import { describeSurroundings } from '@saga-ai/core/scope/surroundings';
import type { ToolCall } from '@saga-ai/model';
import { Config } from '@saga-ai/types/config';
import { createProject } from '../../rig/project/project.ts';
import { bash, misbehave } from '../../rig/worker/misbehave.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

/** Milliseconds. Of tool calls, a list for each run. */
export interface SandboxCost {
  /** What the walls add to a commit: put up, and taken down with the commit taken over. */
  run: number[];
  enclosed: number[][];
  open: number[][];
}

const CALLS = 40;
const REFS = 1_000;
const COMMIT = 'git commit -q --allow-empty -m work';

/** Returns undefined where nothing can be enclosed. */
export async function measureSandbox(rounds: number): Promise<SandboxCost | undefined> {
  const found = await findBubblewrap({ PATH: process.env.PATH });
  if (!('path' in found)) return undefined;
  const cost: SandboxCost = { run: await measureWalls(found.path, rounds), enclosed: [], open: [] };
  for (let i = 0; i < rounds; i++) {
    cost.enclosed.push(await measureCalls('required'));
    cost.open.push(await measureCalls('off'));
  }
  return cost;
}

async function measureWalls(bubblewrap: string, rounds: number): Promise<number[]> {
  using it = createProject();
  const folder = join(it.worktrees, 'x');
  it.git('worktree', 'add', '-q', '-b', 'story/x', folder);
  const head = it.git('rev-parse', 'HEAD').trim();
  const names = Array.from({ length: REFS }, (_, i) => `create refs/heads/topic/b${i} ${head}\n`);
  execFileSync('git', ['update-ref', '--stdin'], { cwd: it.root, input: names.join('') });
  const worktree = {
    folder,
    branch: 'story/x',
    base: { branch: 'main', remote: 'origin', commit: head },
    git: openGit(folder, it.env),
    gitFolder: join(it.root, '.git/worktrees/x'),
  } as Worktree;
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const runId = `bench-${i}`;
    const start = performance.now();
    const { program, args, env } = await createEnclosure({
      bubblewrap,
      runId,
      worktree,
      projectFolder: it.root,
      cacheFolder: it.paths.cache,
      surroundings: describeSurroundings(Config.parse({}).sandbox, it.home, []),
      programs: ['/bin/sh'],
      env: it.env,
    });
    execFileSync(program, [...args, 'sh', '-c', COMMIT], { env: { ...env } });
    await takeOver(worktree, quarantineOf(worktree, runId), runId, it.env);
    removeEnclosure(worktree, runId);
    const enclosed = performance.now() - start;
    const bare = performance.now();
    execFileSync('sh', ['-c', COMMIT], { cwd: folder, env: it.env });
    times.push(enclosed - (performance.now() - bare));
  }
  return times;
}

/** The time between two requests to the model, with one shell command in between. */
async function measureCalls(sandbox: 'off' | 'required'): Promise<number[]> {
  const trials: ToolCall[] = Array.from({ length: CALLS }, () => bash('true'));
  const policy = misbehave(trials);
  const times: number[] = [];
  await using it = await createWorkshop({
    model: {
      policy(conversation) {
        times.push(performance.now());
        return policy(conversation);
      },
    },
  });
  it.write('.saga/config.json', { worker: { sandbox } });
  it.story('cart', {}, { one: {} });
  const { code, stdout, stderr } = await it.saga(['worker', 'cart', '--max-cycles', '1']);
  if (times.length < CALLS) throw new Error(`The worker ended (${code}):\n${stdout}${stderr}`);
  return times.slice(1, CALLS).map((time, i) => time - (times[i] ?? 0));
}
