import type { TaskStatus } from '@saga-ai/types/plan/task';
import { messageOf } from '../../errors.ts';
import { saveStatus } from '../../plan/save-status.ts';
import type { Worker } from '../context.ts';

/**
 * Writes status changes into the story while the run reports them. A failure is reported and does not
 * end the worker.
 */
export class StatusSync {
  private readonly worker: Worker;
  private readonly onCompleted: () => void;
  private readonly own: readonly string[] | undefined;
  private readonly begins: string | undefined;
  private queue: Promise<void> = Promise.resolve();

  /**
   * `own` names the tasks whose statuses the run may change; undefined means all. `begins` names a task that the run
   * may only begin, because another run does the work.
   */
  constructor(
    worker: Worker,
    onCompleted: () => void,
    { own, begins }: { own?: readonly string[] | undefined; begins?: string | undefined } = {},
  ) {
    this.worker = worker;
    this.own = own;
    this.begins = begins;
    this.onCompleted = onCompleted;
  }

  add(taskId: string, status: string): void {
    this.queue = this.queue.then(() => this.sync(taskId, status));
  }

  settled(): Promise<void> {
    return this.queue;
  }

  private async sync(taskId: string, status: string): Promise<void> {
    const { paths, storyId, emit } = this.worker;
    const mayBegin = status === 'in_progress' && taskId === this.begins;
    if (this.own && !this.own.includes(taskId) && !mayBegin) {
      emit('sync:ignored', { task: taskId, status, why: 'not-its-task' });
      return;
    }
    try {
      const result = await saveStatus(paths, storyId, taskId, status);
      if (result === 'changed') {
        // saveStatus only writes a known status.
        emit('task:status', { task: taskId, to: status as TaskStatus });
        if (status === 'completed') this.onCompleted();
      } else if (result !== 'unchanged')
        emit('sync:ignored', { task: taskId, status, why: result });
    } catch (error) {
      emit('sync:failed', { task: taskId, status, reason: messageOf(error) });
    }
  }
}
