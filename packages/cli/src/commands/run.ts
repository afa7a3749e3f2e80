import { SagaError } from '@saga-ai/core/errors';
import { findClaude } from '@saga-ai/core/programs/claude';
import { openTmux } from '@saga-ai/core/programs/tmux';
import { workerLock } from '@saga-ai/core/project/paths';
import { startSession } from '@saga-ai/core/sessions/start-session';
import { loadConfig } from '@saga-ai/core/store/config';
import { toError } from '@saga-ai/core/store/json-file';
import { findProcessIdentity } from '@saga-ai/core/store/lock';
import { loadItem } from '@saga-ai/core/store/resolve';
import { findOpenBlockers, parseJournal } from '@saga-ai/types/journal';
import { formatStoryBranch, formatWorktree } from '@saga-ai/types/names';
import type { Code } from '@saga-ai/types/problem';
import type { Command, Invocation } from '../command.ts';
import { environment } from '../environment.ts';
import { cleanLine } from '../output/text.ts';
import { readWorkerFlags, repeatWorkerFlags, WORKER_OPTIONS } from '../worker-options.ts';
import { runInPlace } from './worker.ts';

export const command: Command = {
  args: [{ name: 'story', help: 'a story', required: true, complete: 'story' }],
  options: {
    ...WORKER_OPTIONS,
    foreground: { type: 'boolean', help: 'run in this terminal instead of tmux' },
  },
  about: `Starts a worker for the story in a tmux session and returns at once. The session goes on when
this terminal is closed; it is on this machine, and ends with it.`,
  examples: ['saga run cart-api', 'saga run cart-api --foreground --budget-usd 5'],
  async run(invocation) {
    const { args, paths, out, flag } = invocation;
    const storyId = args[0] ?? '';
    requireRunnable(invocation, storyId);
    if (flag('foreground')) return runInPlace(invocation);
    const env = environment.handedOver();
    const { config } = loadConfig(paths(), {
      environment: env,
      flags: readWorkerFlags(invocation),
    });
    findClaude(config.worker.claudePath, paths().root, env);
    await requireTmux(paths().root, env);
    const { session, outputFile, first } = await startSession({
      paths: paths(),
      storyId,
      command: [...environment.program(), 'worker', storyId, ...repeatWorkerFlags(invocation)],
      env,
      userId: environment.userId(),
      timestamp: Date.now(),
    });
    if (first?.type === 'worker:end' && first.kind === 'error') {
      throw new SagaError(
        (first.code as Code | undefined) ?? 'session-failed',
        String(first.reason),
        String(first.hint ?? `See ${outputFile}`),
      );
    }
    if (out.json) return void out.value({ story: storyId, session, outputFile });
    const place = `${formatStoryBranch(storyId)} → ${formatWorktree(storyId)}`;
    out.lines([
      `${out.paint('running', '▸')} ${out.paint('strong', storyId)}  ${place}`,
      `  session  ${session}`,
      `  output   ${outputFile}`,
      `  watch    saga attach ${storyId} · saga logs -f ${storyId}`,
    ]);
    return 0;
  },
};

function requireRunnable({ paths, flag }: Invocation, id: string): void {
  const item = loadItem(paths(), id);
  if (item.kind === 'epic') {
    throw new SagaError(
      'usage',
      `${id} is an epic; a worker runs one story.`,
      `Run its stories: ${item.epic.children.map((child) => `saga run ${child.id}`).join(', ')}`,
    );
  }
  if (item.problems.length > 0) throw toError(item.problems);
  const owner = findProcessIdentity(workerLock(paths(), id));
  if (owner) {
    throw new SagaError(
      'in-flight',
      `Story ${id} has a worker already (process ${owner.pid}).`,
      `Watch it: saga logs -f ${id}. Stop it: saga stop ${id}`,
    );
  }
  const [blocker] = findOpenBlockers(parseJournal(item.journal).entries);
  if (!blocker || flag('anyway')) return;
  throw new SagaError(
    'blocker-open',
    `Story ${id} waits for you: ${cleanLine(blocker.title)}`,
    `Answer it: saga resolve ${id} --with "…", or go on without: saga run ${id} --anyway`,
  );
}

async function requireTmux(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  try {
    await openTmux(folder, env).version();
  } catch (cause) {
    throw new SagaError(
      'missing-program',
      'tmux is not installed, and a session needs it.',
      'Install tmux, or run in this terminal: --foreground',
      { cause },
    );
  }
}
