import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '@saga-ai/types/config';
import { claude } from '../agents/claude/agent.ts';
import type { Claude } from '../agents/claude/claude.ts';
import { buildInvocation, type GuardAddress } from '../agents/claude/client-invocation.ts';
import { withoutOuterSession } from '../agents/claude/outer-session.ts';
import { withoutStrayGit } from '../git/git.ts';
import type { Environment } from '../processes/run.ts';
import { stageEnvironment, stageVariables } from '../rehearsal/stage-environment.ts';
import { type Guard, startGuard } from '../worker/run/guard.ts';
import { type RunReport, runHeadless } from '../worker/run/headless-run.ts';

export interface ClientTrial {
  report: RunReport;
  elapsedMs: number;
  /** The client asked the guard about the prompt. */
  isAwake: boolean;
  /** The guard refuses a write that it must refuse. */
  isRefused: boolean;
  answerMs: number;
}

const PATIENCE_MS = 15_000;

/** One headless run as a worker would start it, in a folder of its own, against a scripted model. */
export async function tryClient(
  { path, version }: Claude,
  { env, modelUrl, stop }: { env: Environment; modelUrl: string; stop: AbortSignal },
): Promise<ClientTrial> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'saga-doctor-')));
  const worktree = join(folder, 'worktree');
  const stage = { modelUrl, claudeConfig: join(folder, 'claude'), temp: join(folder, 'temp') };
  for (const it of [worktree, stage.temp]) mkdirSync(it);
  const place = { worktree, storyId: 'doctor', homeFolder: folder, readable: [] };
  try {
    await using guard = await startGuard({ place, emit: () => {}, folder });
    const { isRefused, answerMs } = await askGuard(guard.address, join(folder, 'outside'));
    const started = Date.now();
    const report = await run(path, version, guard, worktree, env, stage, stop);
    const elapsedMs = Date.now() - started;
    return { report, elapsedMs, isAwake: guard.isAwake(), isRefused, answerMs };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function run(
  program: string,
  version: string,
  guard: Guard,
  worktree: string,
  env: Environment,
  stage: Parameters<typeof stageEnvironment>[1],
  stop: AbortSignal,
): Promise<RunReport> {
  const runId = randomUUID();
  const { args, env: variables } = buildInvocation({
    version,
    config: Config.parse({}),
    model: 'opus',
    sessionId: randomUUID(),
    storyId: 'doctor',
    taskListId: 'saga__doctor__1',
    projectFolder: worktree,
    worktree,
    runId,
    guard: guard.address,
    maxUsd: null,
    isRoot: false,
    variables: stageVariables(env, stage),
  });
  const staged = withoutOuterSession(withoutStrayGit(stageEnvironment(env, stage)));
  return runHeadless({
    agent: claude,
    program,
    args,
    env: { ...staged, ...variables },
    cwd: worktree,
    prompt: 'Say that you are there.',
    runId,
    guard,
    deadline: Date.now() + PATIENCE_MS,
    maxTokens: null,
    stop,
    emit: () => {},
    onStatus: () => {},
  });
}

/** The question a client would ask, put by ourselves: is a write outside refused, and how fast. */
async function askGuard({ url, token }: GuardAddress, file: string) {
  const question = {
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: file, content: '' },
  };
  const ask = () =>
    fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(question),
    });
  // The first request of a process takes longer than those that matter.
  await (await ask()).text();
  const started = performance.now();
  const answer = await (await ask()).text();
  return { isRefused: /"deny"/.test(answer), answerMs: performance.now() - started };
}
