import { orderTopologically } from '@saga-ai/types/plan/graph';
import { SagaError } from '../../../errors.ts';
import {
  describeProcess,
  isProcessGone,
  type ProcessIdentity,
} from '../../../processes/identity.ts';
import type { ClaudeTask } from './claude-task.ts';
import type { TaskSource } from './task-source.ts';
import { deriveTaskState, isClaimable } from './task-state.ts';

export interface Claimant {
  /** A name people recognise. */
  owner: string;
  /** The process that will do the work: usually the one that called us. */
  pid: number;
  time: string;
}

/** Takes the first task that can be worked on; nothing when there is none. */
export async function popTask(
  source: TaskSource,
  claimant: Claimant,
): Promise<ClaudeTask | undefined> {
  const { tasks } = source.load();
  const candidates = claimableOf(tasks);
  // First without waiting: under a crowd of poppers, the task next in line is free.
  for (const wait of [false, true]) {
    for (const { id } of candidates) {
      const taken = await takeIfFree(source, id, claimant, wait);
      if (taken) return taken;
    }
  }
  return undefined;
}

export async function claimTask(
  source: TaskSource,
  id: string,
  claimant: Claimant,
  { steal = false }: { steal?: boolean } = {},
): Promise<ClaudeTask> {
  const { tasks } = source.load();
  const completed = completedOf(tasks);
  return source.change(id, (task) => {
    const state = deriveTaskState(task, completed);
    if (isClaimable(state)) return toClaimed(task, claimant);
    if (state !== 'in_progress') throw refuse(task, `it is ${state}`);
    const holder = readClaim(task);
    if (!steal) {
      throw refuse(
        task,
        `${holderOf(task)} has it`,
        '--steal takes over from a process that is gone.',
      );
    }
    if (!holder || !isProcessGone(holder)) {
      throw refuse(
        task,
        `${holderOf(task)} is not provably gone`,
        `If you know better, put it back first: saga task release ${task.id}`,
      );
    }
    return toClaimed(task, claimant);
  });
}

/** Puts a claimed task back; only its claimant's end, or force, makes that right. */
export async function releaseTask(source: TaskSource, id: string): Promise<ClaudeTask> {
  return source.change(id, ({ owner: _, ...task }) => {
    const { claim: __, ...metadata } = task.metadata ?? {};
    return { ...task, status: task.status === 'completed' ? 'completed' : 'pending', metadata };
  });
}

/** Whose process is gone while the task still says it is being worked on. */
export function isDeadClaim(task: ClaudeTask): boolean {
  const holder = task.status === 'in_progress' ? readClaim(task) : undefined;
  return holder !== undefined && isProcessGone(holder);
}

async function takeIfFree(
  source: TaskSource,
  id: string,
  claimant: Claimant,
  wait: boolean,
): Promise<ClaudeTask | undefined> {
  let taken = false;
  const take = (task: ClaudeTask) => {
    // Between our look at the list and the lock, somebody may have taken it.
    taken = task.status === 'pending' && task.owner === undefined;
    return taken ? toClaimed(task, claimant) : undefined;
  };
  try {
    const task = wait ? await source.change(id, take) : await source.tryChange(id, take);
    return taken ? task : undefined;
  } catch (error) {
    // Deleted meanwhile: the next one, then.
    if (error instanceof SagaError && error.code === 'not-found') return undefined;
    throw error;
  }
}

function claimableOf(tasks: readonly ClaudeTask[]): ClaudeTask[] {
  const completed = completedOf(tasks);
  return orderTopologically(tasks).ordered.filter(
    (task) => isClaimable(deriveTaskState(task, completed)) && task.owner === undefined,
  );
}

export function completedOf(tasks: readonly ClaudeTask[]): Set<string> {
  return new Set(tasks.filter((task) => task.status === 'completed').map((task) => task.id));
}

function toClaimed(task: ClaudeTask, { owner, pid, time }: Claimant): ClaudeTask {
  const claim = { ...describeProcess(pid), time };
  return { ...task, status: 'in_progress', owner, metadata: { ...task.metadata, claim } };
}

function readClaim({ metadata }: ClaudeTask): ProcessIdentity | undefined {
  const claim = metadata?.claim as Partial<ProcessIdentity> | undefined;
  if (typeof claim?.pid !== 'number' || typeof claim.host !== 'string') return undefined;
  const { host, pid, place } = claim;
  const started = Number(claim.started) || 0;
  return { host, pid, started, ...(typeof place === 'string' ? { place } : {}) };
}

function holderOf(task: ClaudeTask): string {
  const claim = readClaim(task);
  return `${task.owner ?? 'somebody'}${claim ? ` (process ${claim.pid} on ${claim.host})` : ''}`;
}

function refuse(
  task: ClaudeTask,
  reason: string,
  hint = 'saga task ready lists what can be.',
): SagaError {
  return new SagaError('in-flight', `Task ${task.id} cannot be claimed: ${reason}.`, hint);
}
