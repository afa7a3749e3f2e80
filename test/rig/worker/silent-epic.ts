import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeProcess } from '@saga-ai/core/processes/identity';
import { acquireLock } from '@saga-ai/core/processes/lock';
import { epicLock } from '@saga-ai/core/project/paths';
import type { RunEvent } from '@saga-ai/types/run/event';
import { formatSessionEvent } from '@saga-ai/types/run/format-event';
import type { PlanFiles } from '../project/plan-files.ts';
import { endedSession } from '../project/shop.ts';

/** An epic whose scheduler lives, as this process, and writes only when it is told to. */
export interface SilentEpic extends Disposable {
  session: string;
  /** Writes an event of the scheduler, so many seconds after its start. */
  tell(seconds: number, event: { type: string; [field: string]: unknown }): void;
  /** Writes a story's session that ended: its start, its record and its gate. */
  worked(story: string, from: number, to: number, fields?: object): void;
  /** Writes the end of the scheduler. */
  end(seconds: number, fields: object): void;
  /** Leaves what a killed scheduler leaves. */
  die(): void;
}

const BEGUN = Date.parse('2026-11-15T14:00:00Z');

/** `startedAt` is the time of its start. */
export async function startSilentEpic(
  plan: PlanFiles,
  epic: string,
  { startedAt = BEGUN, stories = 3, jobs = 2 } = {},
): Promise<SilentEpic> {
  const session = `saga-epic-${epic}-${startedAt}`;
  const outputFile = join(plan.root, `${session}.jsonl`);
  const at = (seconds: number) => new Date(startedAt + seconds * 1000).toISOString();
  const write = (file: string, seconds: number, event: object) =>
    appendFileSync(file, formatSessionEvent({ time: at(seconds), ...event } as RunEvent));
  const record = {
    ...{ version: 1, session, story: epic, isEpic: true, ...describeProcess(process.pid) },
    ...{ outputFile, tmux: false, startedAt: at(0), model: 'opus' },
    ...{ cycle: 0, tokens: 0, costUsd: 0 },
  };
  const save = (fields: object) =>
    plan.write(`.git/saga/runs/sessions/${session}.json`, { ...record, ...fields });
  plan.write('.git/saga/runs/.gitignore', '*\n');
  write(outputFile, 0, { type: 'epic:start', epic, jobs, stories });
  const { release } = await acquireLock(epicLock(plan.paths, epic), 0);
  let isHeld = true;
  const leave = () => {
    if (isHeld) release();
    isHeld = false;
  };
  save({});
  return {
    session,
    tell: (seconds, event) => write(outputFile, seconds, event),
    worked(story, from, to, fields = {}) {
      const own = endedSession(startedAt + from * 1000, story);
      const file = join(plan.root, `${own.session}.jsonl`);
      write(outputFile, from, { type: 'epic:started', story, session: own.session });
      if (!existsSync(file)) write(file, to - 2, { type: 'gate:start' });
      write(file, to - 1, { type: 'gate:passed', head: '1' });
      plan.write(`.git/saga/runs/sessions/${own.session}.json`, {
        ...own,
        ...{ outputFile: file, endedAt: at(to), outcome: 'done' },
        ...fields,
      });
    },
    end(seconds, fields) {
      leave();
      save({ endedAt: at(seconds), ...fields });
    },
    die() {
      leave();
      save({ pid: spawnSync('true').pid });
    },
    [Symbol.dispose]: leave,
  };
}
