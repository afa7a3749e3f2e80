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
  /** A name that people recognise. */
  owner: string;
  /** The process that will do the work, usually the caller. */
  pid: number;
  time: string;
}

/** Claims the first task that can be worked on. Returns undefined if there is none. */
export async function popTask(
  source: TaskSource,
  claimant: Claimant,
): Promise<ClaudeTask | undefined> {
  const { tasks } = source.load();
  const candidates = claimableOf(tasks);
  // First try without waiting for locks: if many processes claim at once, the next task is free.
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
        `${holderOf(task)} has claimed it`,
        '--steal takes over from a process that has ended.',
      );
    }
    if (!holder || !isProcessGone(holder)) {
      throw refuse(
        task,
        `${holderOf(task)} may still be running`,
        `If you know that it has ended: saga task release ${task.id}`,
      );
    }
    return toClaimed(task, claimant);
  });
}

/** Removes the claim of a task. Only right if the claimant has ended, or a person insists. */
export async function releaseTask(source: TaskSource, id: string): Promise<ClaudeTask> {
  return source.change(id, ({ owner: _, ...task }) => {
    const { claim: __, ...metadata } = task.metadata ?? {};
    return { ...task, status: task.status === 'completed' ? 'completed' : 'pending', metadata };
  });
}

/** Whether the task is in progress but its claimant's process has ended. */
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
    // Another process may have claimed the task since the list was read.
    taken = task.status === 'pending' && task.owner === undefined;
    return taken ? toClaimed(task, claimant) : undefined;
  };
  try {
    const task = wait ? await source.change(id, take) : await source.tryChange(id, take);
    return taken ? task : undefined;
  } catch (error) {
    // The task was deleted meanwhile: try the next one.
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
  return { host, pid, started, place: typeof place === 'string' ? place : undefined };
}

function holderOf(task: ClaudeTask): string {
  const claim = readClaim(task);
  return `${task.owner ?? 'somebody'}${claim ? ` (process ${claim.pid} on ${claim.host})` : ''}`;
}

function refuse(
  task: ClaudeTask,
  reason: string,
  hint = 'saga task ready lists the tasks that can be claimed.',
): SagaError {
  return new SagaError('in-flight', `Task ${task.id} cannot be claimed: ${reason}.`, hint);
}
