import { messageOf } from '../../errors.ts';
import { saveStatus } from '../../plan/save-status.ts';
import type { StoryRun } from '../run-cycle.ts';

/** Writes status changes into the story as the stream tells of them; a failure is said, not fatal. */
export class StatusSync {
  private readonly run: Pick<StoryRun, 'worker' | 'pullRequest'>;
  private queue: Promise<void> = Promise.resolve();

  constructor(run: Pick<StoryRun, 'worker' | 'pullRequest'>) {
    this.run = run;
  }

  add(taskId: string, status: string): void {
    this.queue = this.queue.then(() => this.sync(taskId, status));
  }

  settled(): Promise<void> {
    return this.queue;
  }

  private async sync(taskId: string, status: string): Promise<void> {
    const { worker, pullRequest } = this.run;
    const { paths, storyId, emit } = worker;
    try {
      const result = await saveStatus(paths, storyId, taskId, status);
      if (result === 'changed') {
        emit('task:status', { task: taskId, to: status });
        if (status === 'completed') void pullRequest.refresh();
      } else if (result !== 'unchanged')
        emit('sync:ignored', { task: taskId, status, why: result });
    } catch (error) {
      emit('sync:failed', { task: taskId, status, reason: messageOf(error) });
    }
  }
}
