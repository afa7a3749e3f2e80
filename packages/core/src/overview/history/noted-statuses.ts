import { NotedEvents } from '../../records/noted-events.ts';
import type { NotedStatus } from './derive-history.ts';

/** Reads status changes from output files. */
export class NotedStatuses {
  readonly #events = new NotedEvents(['task:status']);

  async read(file: string, story: string, size: number | null): Promise<readonly NotedStatus[]> {
    const events = await this.#events.read(file, size);
    return events.map(({ task, time, to }) => ({
      story,
      task,
      time: Date.parse(time),
      isCompleted: to === 'completed',
    }));
  }
}
