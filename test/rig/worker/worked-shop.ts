import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Policy, type ToolCall, walkTasks } from '@saga-ai/model';
import type { Rehearsal } from '@saga-ai/types/plan/task';
import { SAGA } from '../programs/run-program.ts';
import { SHOP_EPIC, SHOP_STORIES } from '../project/shop-plan.ts';
import { createWorkshop, type Workshop } from './workshop.ts';

/** A workshop with the shop's plan, in which some stories have really been worked on. */
export interface WorkedShop extends Workshop {
  /** Starts a worker whose model falls silent at the given task, and waits until the run works on that task. */
  hold(storyId: string, taskId: string): Promise<void>;
}

export interface WorkedShopOptions {
  /** Stories to run to their end, each with the exit code that it must have. */
  run?: Readonly<Record<string, number>>;
}

export async function createWorkedShop({ run = {} }: WorkedShopOptions = {}): Promise<WorkedShop> {
  const holds = new Set<string>();
  const it = await createWorkshop({ model: { policy: buildPolicy(holds) } });
  it.write(`.saga/epics/${SHOP_EPIC.id}.json`, {
    ...SHOP_EPIC,
    branch: 'epic/shop-checkout',
    pr: 'https://github.com/acme/widgets/pull/41',
  });
  for (const [id, { title, description, fields, tasks }] of Object.entries(SHOP_STORIES)) {
    const isChild = SHOP_EPIC.children.some((child) => child.id === id);
    const planned = Object.entries(tasks).map(([taskId, { subject, blockedBy = [], fields }]) => [
      taskId,
      { subject, description: `${subject}, as the story says.`, blockedBy, ...fields },
    ]);
    it.story(
      id,
      { title, description, epic: isChild ? SHOP_EPIC.id : undefined, ...fields },
      Object.fromEntries(planned),
    );
  }
  it.git('add', '-A');
  it.git('commit', '-qm', 'The plan');
  it.git('push', '-q', 'origin', 'main');
  await Promise.all(Object.entries(run).map(([id, code]) => work(it, id, code)));
  const workers: ChildProcess[] = [];
  return {
    ...it,
    async hold(storyId, taskId) {
      holds.add(taskId);
      const worker = spawn(process.execPath, [SAGA, 'worker', '--anyway', storyId], {
        cwd: it.root,
        env: it.environment,
        stdio: 'ignore',
      });
      workers.push(worker);
      const isThere = () => {
        try {
          return JSON.parse(it.readStory(storyId, `${taskId}.json`)).status === 'in_progress';
        } catch {
          // There is no worktree yet.
          return false;
        }
      };
      while (!isThere()) {
        if (worker.exitCode !== null) throw new Error(`The worker of ${storyId} has ended.`);
        await sleep(50);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const worker of workers.filter((it) => it.exitCode === null)) {
        worker.kill('SIGTERM');
        await once(worker, 'exit');
      }
      await it[Symbol.asyncDispose]();
    },
  };
}

/**
 * Runs a worker, whatever its story waits for. Throws with its words if it ended in another way than expected, because all pages show its results.
 */
async function work(it: Workshop, storyId: string, expected: number): Promise<void> {
  const { code, stdout, stderr } = await it.saga(['worker', '--anyway', storyId]);
  if (code === expected) return;
  const words = `${stdout}\n${stderr}`.trim();
  throw new Error(`The worker of ${storyId} ended with ${code}, not with ${expected}:\n${words}`);
}

const rehearsals: Record<string, Rehearsal> = Object.fromEntries(
  Object.values(SHOP_STORIES).flatMap(({ tasks }) =>
    Object.entries(tasks).flatMap(([id, { rehearsal }]) => (rehearsal ? [[id, rehearsal]] : [])),
  ),
);

/**
 * Builds a policy that works as a good agent does, with an edit after each new source file, a price, and silence at the
 * tasks in `holds`.
 */
function buildPolicy(holds: ReadonlySet<string>): Policy {
  const walk = walkTasks({ rehearsals });
  return async (conversation) => {
    const since = conversation.callsSincePrompt;
    const edit = buildEdit(since.at(-1));
    const extras = since.filter((call) => call.tool !== 'Edit');
    const turn = edit
      ? { text: 'Same sku twice should be one line.', calls: [edit] }
      : await walk({ ...conversation, callsSincePrompt: extras });
    // The model falls silent after its first call for the task, so that there is something to see.
    const at = since.findLastIndex((call) => call.tool === 'TaskUpdate');
    const { status, taskId } = since[at]?.input ?? {};
    const isHeld = () => status === 'in_progress' && holds.has(String(taskId));
    while (at < since.length - 1 && isHeld()) await sleep(50);
    return { ...turn, usage: { inputTokens: 5200, outputTokens: 640, costUsd: 0.021 } };
  };
}

function buildEdit(last: ToolCall | undefined): ToolCall | undefined {
  if (last?.tool !== 'Write' || !String(last.input.file_path).endsWith('.ts')) return undefined;
  const edited = 'return [...lines, line];';
  if (!String(last.input.content).includes(edited)) return undefined;
  const merged = `const same = lines.find((it) => it.sku === line.sku);
  if (!same) return [...lines, line];
  const quantity = same.quantity + line.quantity;
  return lines.map((it) => (it === same ? { ...same, quantity } : it));`;
  return {
    tool: 'Edit',
    input: { file_path: last.input.file_path, old_string: edited, new_string: merged },
  };
}
