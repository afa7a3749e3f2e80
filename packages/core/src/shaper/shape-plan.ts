import { randomUUID } from 'node:crypto';
import type { Advice } from '@saga-ai/types/plan/advice';
import { EpicDraft } from '@saga-ai/types/plan/draft';
import type { Problem } from '@saga-ai/types/words/problem';
import { readAccountFor } from '../agents/claude/account/read-account.ts';
import { claude } from '../agents/claude/agent.ts';
import { describeFeatures } from '../agents/claude/client-features.ts';
import {
  buildShaperInvocation,
  readShaperLine,
  type ShaperNews,
} from '../agents/claude/shaper-run.ts';
import { checkDraft } from '../authoring/create.ts';
import { readDraft } from '../authoring/read-draft.ts';
import { SagaError } from '../errors.ts';
import { toError } from '../files/json-file.ts';
import { lintPlan } from '../lint/lint-plan.ts';
import { loadConfig } from '../plan/config.ts';
import { listIds } from '../plan/list-ids.ts';
import { armDeadline } from '../processes/deadline.ts';
import { type Environment, startProgram } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import { buildRetryPrompt, buildShaperPrompt } from './shaper-prompt.ts';

export interface ShapeRequest {
  paths: Paths;
  env: Environment;
  /** The agent's configuration folder. */
  agentHome: string;
  goal: string;
  /** The schema of an epic draft, as JSON Schema. */
  schema: Readonly<Record<string, unknown>>;
  /** The most that all rounds may cost together. */
  maxUsd: number;
  stop: AbortSignal;
  onStep(text: string): void;
}

export interface ShapedPlan {
  draft: EpicDraft;
  advice: Advice[];
  rounds: number;
  costUsd: number;
}

/** After the first answer, the Shaper may correct its plan so often. */
const MOST_ROUNDS = 3;
const MINUTES = 30;

/**
 * Lets the agent read the repository and propose an epic. What the checks find goes back into the same
 * conversation. Writes nothing to the plan.
 */
export async function shapePlan(request: ShapeRequest): Promise<ShapedPlan> {
  const { paths, goal } = request;
  const ask = await openShaper(request);
  let prompt = buildShaperPrompt(goal, listIds(paths));
  let costUsd = 0;
  for (let round = 0; ; round++) {
    const answer = await ask(prompt, costUsd, round > 0);
    costUsd = answer.costUsd;
    const judged = await judge(request, answer.value);
    const isLast = round === MOST_ROUNDS || costUsd >= request.maxUsd;
    // Advice is worth one more round, and no more: a plan can be right in spite of it.
    if (judged.draft && (judged.advice.length === 0 || round > 0 || isLast)) {
      return { draft: judged.draft, advice: judged.advice, rounds: round + 1, costUsd };
    }
    if (isLast) throw toError(judged.problems);
    request.onStep(`corrects the plan (${judged.problems.length + judged.advice.length})`);
    prompt = buildRetryPrompt(judged.problems, judged.advice);
  }
}

async function openShaper(request: ShapeRequest) {
  const { paths, env: around, agentHome, schema, stop, onStep, maxUsd: most } = request;
  const { config } = loadConfig(paths, { environment: around });
  // The client refuses a schema that names its dialect.
  const { $schema: _, ...plain } = schema;
  const env = claude.withoutOuterSession(around);
  const path = claude.find(config.worker.claudePath, paths.root, env);
  const program = await claude.describe(path, paths, env);
  const home = { config: agentHome };
  await claude.requireLogin({ program, home, folder: paths.root, env, isQuick: true });
  const account = readAccountFor(home, undefined);
  const sessionId = randomUUID();
  const { addsUpCost } = describeFeatures(program.version);
  return async (prompt: string, spentUsd: number, isLater: boolean) => {
    const maxUsd = most - spentUsd;
    const asked = { version: program.version, account, model: config.worker.model, maxUsd };
    const { args, env: own } = buildShaperInvocation({
      ...{ ...asked, schema: plain, sessionId, isLater, inherited: env },
    });
    let end: Extract<ShaperNews, { kind: 'end' }> | undefined;
    const started = startProgram(
      path,
      args,
      { cwd: paths.root, env: { ...env, ...own }, input: prompt },
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
      throw new SagaError('usage', 'Stopped. Nothing was created.', 'Run it again.');
    if (end && !end.isError) {
      return { value: end.value, costUsd: addsUpCost ? end.costUsd : spentUsd + end.costUsd };
    }
    const said = (end?.text || stderr.trim().split('\n').at(-1) || `code ${code}`).slice(0, 500);
    throw new SagaError(
      'client-failed',
      `Claude Code proposed no plan: ${said}`,
      'Nothing was created. saga doctor checks the client; --max-usd raises the limit.',
    );
  };
}

interface Judged {
  draft?: EpicDraft;
  problems: Problem[];
  advice: Advice[];
}

/** Checks a proposal as saga create would, and judges it as saga check --plan would. */
async function judge({ paths, env }: ShapeRequest, value: unknown): Promise<Judged> {
  const result = readDraft(value);
  if ('problems' in result) return { problems: result.problems, advice: [] };
  if (!result.files.epic || result.files.stories.length === 0) {
    const hint = 'Answer with an epic that has "stories".';
    const message = 'The proposal has no stories.';
    return { problems: [{ code: 'invalid-draft', message, hint }], advice: [] };
  }
  try {
    await checkDraft(paths, value, (problem) => problem);
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    const { code, message, hint } = error;
    const told = error.problems.length > 0 ? [...error.problems] : [{ code, message, hint }];
    return { problems: told, advice: [] };
  }
  const { config } = loadConfig(paths, { environment: env });
  const { epic, stories } = result.files;
  const advice = lintPlan({ stories, epics: [epic], verify: config.gate.verify });
  return { draft: EpicDraft.parse(value), problems: [], advice };
}
