import { createChanges, type Report } from './project-changes.ts';

const PAUSE_MS = 1000;

/** Reports repeatedly that anything may have changed. Spends at most a tenth of the time on reading. */
export function pollProject(report: Report): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async () => {
    const start = performance.now();
    await report({ ...createChanges(), all: true });
    const pause = Math.max(PAUSE_MS, 9 * (performance.now() - start));
    if (!isStopped) timer = setTimeout(look, pause);
  };
  const first = look();
  return {
    async stop() {
      isStopped = true;
      await first;
      clearTimeout(timer);
    },
  };
}
