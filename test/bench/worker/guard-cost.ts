import { randomUUID } from 'node:crypto';
import { NO_ACCOUNT } from '@saga-ai/core/agents/claude/account/account-settings';
import { claude } from '@saga-ai/core/agents/claude/agent';
import { buildInvocation } from '@saga-ai/core/agents/claude/client-invocation';
import { hydrate } from '@saga-ai/core/agents/claude/tasklist/hydrate';
import { saveStatus } from '@saga-ai/core/plan/save-status';
import { loadStory } from '@saga-ai/core/plan/stories';
import { startProgram } from '@saga-ai/core/processes/run';
import { startGuard } from '@saga-ai/core/worker/run/guard';
import { runHeadless } from '@saga-ai/core/worker/run/headless-run';
import type { Turn } from '@saga-ai/model';
import { Config } from '@saga-ai/types/config';
import { findClient } from '../../rig/client/client.ts';
import { NO_LIFELINE } from '../../rig/programs/no-lifeline.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

/** Milliseconds between two requests to the model, with one tool call in between; a list for each run. */
export interface GuardCost {
  guarded: number[][];
  bare: number[][];
}

const CALLS = 100;

/** Runs of a hundred tool calls, with guard and sync and without, in turn. */
export async function measureGuardCost(rounds: number): Promise<GuardCost> {
  const cost: GuardCost = { guarded: [], bare: [] };
  let times: number[] = [];
  let file = '';
  const next = (made: number): Turn => {
    times.push(performance.now());
    if (made >= CALLS) return { text: 'Done.' };
    if (made % 10 !== 9) return { calls: [{ tool: 'Read', input: { file_path: file } }] };
    const status = made % 20 === 9 ? 'in_progress' : 'pending';
    return { calls: [{ tool: 'TaskUpdate', input: { taskId: 'one', status } }] };
  };
  await using it = await createWorkshop({
    model: { policy: ({ callsSincePrompt }) => next(callsSincePrompt.length) },
  });
  it.story('cart', {}, { one: {} });
  file = `${it.root}/README.md`;
  const { program, lead, version } = findClient();
  const emit = () => {};
  await using guard = await startGuard({
    place: {
      ...{ worktree: it.root, storyId: 'cart', homeFolder: it.home },
      ...claude.describeScope({ config: `${it.home}/.claude` }, it.root),
    },
    wire: claude.guard,
    emit,
  });
  for (let round = 0; round < rounds * 2; round++) {
    const isGuarded = round % 2 === 0;
    const config = Config.parse({});
    const list = hydrate({ config: `${it.home}/.claude` }, loadStory(it.paths, 'cart'), round + 1);
    const runId = randomUUID();
    const { args, env } = buildInvocation({
      version,
      config,
      model: 'opus',
      sessionId: randomUUID(),
      storyId: 'cart',
      taskListId: list.listId,
      projectFolder: it.root,
      worktree: it.root,
      runId,
      guard: guard.address,
      maxUsd: null,
      isRoot: false,
      inherited: it.environment,
      account: NO_ACCOUNT,
      project: {},
      variables: {},
    });
    const all = { ...it.environment, ...env };
    times = [];
    if (isGuarded) {
      await runHeadless({
        agent: claude,
        version,
        earlierCostUsd: 0,
        program,
        args: [...lead, ...args],
        env: all,
        lifeline: NO_LIFELINE,
        cwd: it.root,
        prompt: 'Go.',
        runId,
        guard,
        deadline: Date.now() + 120_000,
        maxTokens: null,
        stop: new AbortController().signal,
        emit,
        onStatus: (taskId, status) => void saveStatus(it.paths, 'cart', taskId, status),
      });
    } else {
      const bare = [...lead, ...withoutHooks(args)];
      const input = claude.talk.message(randomUUID(), 'Go.');
      await startProgram(program, bare, { cwd: it.root, env: all, input }, () => {}).ended;
    }
    if (times.length < CALLS) throw new Error(`Only ${times.length} calls were made.`);
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    (isGuarded ? cost.guarded : cost.bare).push(gaps);
  }
  return cost;
}

function withoutHooks(args: readonly string[]): string[] {
  const at = args.indexOf('--settings') + 1;
  const { hooks: _, ...settings } = JSON.parse(args[at] ?? '{}');
  return args.with(at, JSON.stringify(settings));
}
