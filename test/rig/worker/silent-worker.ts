import { spawnSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureIgnoredFolder } from '@saga-ai/core/files/atomic-write';
import { describeProcess } from '@saga-ai/core/processes/identity';
import { acquireLock } from '@saga-ai/core/processes/lock';
import { sessionRecordFile, workerLock } from '@saga-ai/core/project/paths';
import type { RunEvent } from '@saga-ai/types/run/event';
import { formatSessionEvent } from '@saga-ai/types/run/format-event';
import type { PlanFiles } from '../project/plan-files.ts';

/** A story whose worker lives, as this process, and writes only when it is told to. */
export interface SilentWorker extends Disposable {
  session: string;
  outputFile: string;
  /** Writes its output file, last so many minutes ago. */
  write(minutesAgo: number, event?: { type: string; [field: string]: unknown }): void;
  /**
   * Notes that its run has been silent for so many minutes and was asked. Undefined notes that the run is no longer
   * silent.
   */
  ask(minutesAgo: number | undefined): void;
  /** Leaves what a killed worker leaves. */
  die(): void;
}

/** Its session began at this time, half an hour ago by default. */
export async function startSilentWorker(
  plan: PlanFiles,
  story: string,
  timestamp = Date.now() - 30 * 60_000,
): Promise<SilentWorker> {
  const session = `saga-story-${story}-${timestamp}`;
  const outputFile = join(plan.root, `${session}.jsonl`);
  const write: SilentWorker['write'] = (
    minutesAgo,
    event = { type: 'run:start', cycle: 1, model: 'opus', run: 'one' },
  ) => {
    const time = new Date(Date.now() - minutesAgo * 60_000);
    plan.write(
      `${session}.jsonl`,
      formatSessionEvent({ time: time.toISOString(), ...event } as RunEvent),
    );
    utimesSync(outputFile, time, time);
  };
  write(0);
  const agoOf = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const startedAt = new Date(timestamp).toISOString();
  const save = (fields: object) =>
    void plan.write(relative(plan.root, sessionRecordFile(plan.paths, session)), {
      ...{ version: 1, session, story, ...describeProcess(process.pid), outputFile, tmux: false },
      ...{
        startedAt,
        startedIn: plan.root,
        model: 'opus',
        cycle: 1,
        tokens: 84_000,
        costUsd: 0.61,
      },
      ...{ task: 'Writing endpoint tests', activity: 'Bash npm test' },
      ...fields,
    });
  const ask: SilentWorker['ask'] = (minutesAgo) =>
    save(minutesAgo === undefined ? {} : { silentSince: agoOf(minutesAgo) });
  ask(undefined);
  ensureIgnoredFolder(plan.paths.runs);
  const { release } = await acquireLock(workerLock(plan.paths, story), 0);
  let isHeld = true;
  const leave = () => {
    if (isHeld) release();
    isHeld = false;
  };
  const die = () => {
    save({ pid: spawnSync('true').pid });
    leave();
  };
  return { session, outputFile, write, ask, die, [Symbol.dispose]: leave };
}
