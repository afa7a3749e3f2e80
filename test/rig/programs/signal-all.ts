import { errorCodeOf } from '@saga-ai/core/errors';

/** Sends a signal to processes. Some may be gone by then: programs end when the one that started them is killed. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCodeOf(error) !== 'ESRCH') throw error;
    }
  }
}
