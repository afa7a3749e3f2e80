import { randomUUID } from 'node:crypto';
import type { AgentStep } from '../agents/agent.ts';
import { agent } from '../agents/chosen.ts';
import { SagaError } from '../errors.ts';
import { loadConfig } from '../plan/config.ts';
import type { Environment, Lifeline } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';

/** What every conversation with a Shaper needs. */
export interface ShaperSetup {
  paths: Paths;
  env: Environment;
  /** The agent's configuration folder. */
  agentHome: string;
  /** The most that all rounds may cost together. */
  maxUsd: number;
  stop: AbortSignal;
  onStep(text: string): void;
}

/** What the Shaper answered, and what the conversation cost so far. */
export interface ShaperAnswer {
  value: unknown;
  costUsd: number;
}

const MINUTES = 30;

/**
 * Opens a conversation with a Shaper: a run of the agent that may only read the files in `folder`, and answers with
 * a value of `schema`. Each call of the returned function is one question. The run ends with the `lifeline`.
 */
export async function openShaper(
  setup: ShaperSetup,
  schema: object,
  folder: string,
  lifeline: Lifeline,
): Promise<(prompt: string) => Promise<ShaperAnswer>> {
  const { paths, env: around, agentHome, stop, onStep, maxUsd: most } = setup;
  const { config } = loadConfig(paths, { environment: around });
  const env = agent.withoutOuterSession(around);
  const path = agent.find(config.worker.claudePath, paths.root, env);
  const program = await agent.describe(path, paths, env);
  const home = { config: agentHome };
  await agent.requireLogin({ program, home, folder: paths.root, env, isQuick: true });
  const id = randomUUID();
  let costUsd = 0;
  let isContinued = false;
  return async (prompt) => {
    const answer = await agent.ask({
      ...{ program, home, folder, env, prompt, schema, stop, lifeline },
      model: config.worker.model,
      conversation: { id, isContinued, earlierCostUsd: costUsd },
      maxUsd: most - costUsd,
      deadline: Date.now() + MINUTES * 60_000,
      onStep: (step) => onStep(describeStep(step)),
    });
    if (answer.kind === 'none') {
      throw answer.why === 'signal' ? stopped() : failed(answer.detail);
    }
    isContinued = true;
    costUsd += answer.costUsd;
    return { value: answer.value, costUsd };
  };
}

const describeStep = (step: AgentStep) => (step.kind === 'answer' ? 'writes the plan' : step.text);

const stopped = () => new SagaError('usage', 'Stopped. Nothing was changed.', 'Run it again.');

const failed = (said: string) =>
  new SagaError(
    'client-failed',
    `Claude Code proposed nothing: ${said.slice(0, 500)}`,
    'Nothing was changed. saga doctor checks the client; --max-usd raises the limit.',
  );
