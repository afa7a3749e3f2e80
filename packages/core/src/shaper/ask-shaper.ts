import { randomUUID } from 'node:crypto';
import { readAccountFor } from '../agents/claude/account/read-account.ts';
import { claude } from '../agents/claude/agent.ts';
import { describeFeatures } from '../agents/claude/client-features.ts';
import {
  buildShaperInvocation,
  readShaperLine,
  type ShaperNews,
} from '../agents/claude/shaper-run.ts';
import { SagaError } from '../errors.ts';
import { loadConfig } from '../plan/config.ts';
import { armDeadline } from '../processes/deadline.ts';
import { type Environment, type Lifeline, startProgram } from '../processes/run.ts';
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
  const env = claude.withoutOuterSession(around);
  const path = claude.find(config.worker.claudePath, paths.root, env);
  const program = await claude.describe(path, paths, env);
  const home = { config: agentHome };
  await claude.requireLogin({ program, home, folder: paths.root, env, isQuick: true });
  const account = readAccountFor(home, undefined);
  const sessionId = randomUUID();
  const { addsUpCost } = describeFeatures(program.version);
  let spentUsd = 0;
  let isLater = false;
  return async (prompt) => {
    const maxUsd = most - spentUsd;
    const asked = { version: program.version, account, model: config.worker.model, maxUsd };
    const { args, env: own } = buildShaperInvocation({
      ...{ ...asked, schema: withoutDialect(schema), sessionId, isLater, inherited: env },
    });
    let end: Extract<ShaperNews, { kind: 'end' }> | undefined;
    const started = startProgram(
      path,
      args,
      { cwd: folder, env: { ...env, ...own }, input: prompt, lifeline },
      (line) => {
        const news = readShaperLine(line);
        if (news?.kind === 'step') onStep(news.text);
        else if (news) end = news;
      },
    );
    using _armed = armDeadline(Date.now() + MINUTES * 60_000, stop, () =>
      started.signalGroup('SIGTERM'),
    );
    const { code, stderr } = await started.ended;
    if (stop.aborted)
      throw new SagaError('usage', 'Stopped. Nothing was changed.', 'Run it again.');
    if (!end || end.isError) throw failed(end?.text || lastLine(stderr) || `code ${code}`);
    isLater = true;
    spentUsd = addsUpCost ? end.costUsd : spentUsd + end.costUsd;
    return { value: end.value, costUsd: spentUsd };
  };
}

/** The client refuses a schema that names its dialect. */
function withoutDialect(schema: object): object {
  const { $schema: _, ...plain } = schema as Record<string, unknown>;
  return plain;
}

const lastLine = (text: string) => text.trim().split('\n').at(-1);

const failed = (said: string) =>
  new SagaError(
    'client-failed',
    `Claude Code proposed nothing: ${said.slice(0, 500)}`,
    'Nothing was changed. saga doctor checks the client; --max-usd raises the limit.',
  );
