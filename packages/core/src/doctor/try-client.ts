import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '@saga-ai/types/config';
import { formatTaskListId } from '@saga-ai/types/words/names';
import type { AgentProgram, GuardAddress, Stage } from '../agents/agent.ts';
import { agent } from '../agents/chosen.ts';
import { withoutStrayGit } from '../git/git.ts';
import { startLifeline } from '../processes/lifeline.ts';
import type { Environment } from '../processes/run.ts';
import { type Guard, startGuard } from '../worker/run/guard.ts';
import { type RunReport, runHeadless } from '../worker/run/headless-run.ts';

export interface ClientTrial {
  report: RunReport;
  elapsedMs: number;
  /** The client asked the guard about the prompt. */
  wasAskedAboutPrompt: boolean;
  /** The guard refuses a write that it must refuse. */
  isRefused: boolean;
  answerMs: number;
}

/** No story has a run here, but an invocation names one. */
const STORY = 'doctor';

/** The limit of a trial that hangs. A busy machine needs a quarter of a minute. */
const PATIENCE_MS = 60_000;

/** Starts one headless run as a worker would, in its own folder, with a scripted model. */
export async function tryClient(
  { path, version }: AgentProgram,
  { env, modelUrl, stop }: { env: Environment; modelUrl: string; stop: AbortSignal },
): Promise<ClientTrial> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'saga-doctor-')));
  const worktree = join(folder, 'worktree');
  const stage = { modelUrl, home: { config: join(folder, 'claude') }, temp: join(folder, 'temp') };
  for (const it of [worktree, stage.temp]) mkdirSync(it);
  const scope = agent.describeScope(stage.home, worktree);
  const place = { worktree, storyId: STORY, homeFolder: folder, ...scope };
  try {
    await using guard = await startGuard({ place, wire: agent.guard, emit: () => {} });
    const { isRefused, answerMs } = await askGuard(guard.address, join(folder, 'outside'));
    const started = Date.now();
    const report = await run(path, version, guard, worktree, env, stage, stop);
    const elapsedMs = Date.now() - started;
    return {
      report,
      elapsedMs,
      wasAskedAboutPrompt: guard.wasAskedAboutPrompt(),
      isRefused,
      answerMs,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function run(
  program: string,
  version: string,
  guard: Guard,
  worktree: string,
  env: Environment,
  stage: Stage,
  stop: AbortSignal,
): Promise<RunReport> {
  const runId = randomUUID();
  const staged = agent.withoutOuterSession(
    withoutStrayGit(agent.stage.buildEnvironment(env, stage)),
  );
  const { args, env: variables } = agent.invoke({
    version,
    config: Config.parse({}),
    model: 'opus',
    sessionId: randomUUID(),
    storyId: STORY,
    taskListId: formatTaskListId({ storyId: STORY, timestamp: 1 }),
    projectFolder: worktree,
    worktree,
    runId,
    guard: guard.address,
    maxUsd: null,
    isRoot: false,
    inherited: staged,
    account: { settings: {}, env: {} },
    project: {},
    variables: agent.stage.buildVariables(env, stage),
  });
  using lifeline = startLifeline(worktree, 'saga-doctor');
  return await runHeadless({
    agent,
    version,
    earlierCostUsd: 0,
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
    lifeline,
    emit: () => {},
    onStatus: () => {},
  });
}

/** Asks the guard as a client would: whether it refuses a write outside, and how fast it answers. */
async function askGuard({ url, token }: GuardAddress, file: string) {
  const question = agent.guard.buildProbe(file);
  const ask = () =>
    fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(question),
    });
  // The first request of a process is slower than the later ones, so it is not measured.
  await (await ask()).text();
  const started = performance.now();
  const answer = await (await ask()).text();
  return { isRefused: agent.guard.isDenial(answer), answerMs: performance.now() - started };
}
