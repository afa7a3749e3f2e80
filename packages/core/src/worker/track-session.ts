import type { RunEvent } from '@saga-ai/types/run/event';
import type { SessionRecord } from '@saga-ai/types/run/session-record';
import { describeFollowing } from '@saga-ai/types/screens/review/follow-state';
import { formatCall } from '@saga-ai/types/words/format-call';
import { formatHourAndMinute } from '@saga-ai/types/words/times';
import { SagaError } from '../errors.ts';
import { loadStory } from '../plan/stories.ts';
import { describeProcess } from '../processes/identity.ts';
import { createSessionClock } from '../records/session-clock.ts';
import { saveSessionRecord } from '../records/session-records.ts';
import type { Outcome, WorkerOrder } from './context.ts';
import { SessionSpent, type SpentNow } from './session-spent.ts';

const EVERY_MS = 500;

const WAITS = {
  'limit:waiting': 'usage-limit',
  'outage:waiting': 'outage',
  'answer:waiting': 'answer',
} as const;

/**
 * Updates the session's record from the worker's events, so that other programs need not read the
 * output file.
 */
export class SessionTracker {
  private readonly worker: WorkerOrder;
  private readonly record: SessionRecord;
  private timer: NodeJS.Timeout | undefined;
  private isKnown = false;
  private verifying = 'verify';
  private readonly spent: SessionSpent;

  constructor(
    worker: WorkerOrder,
    place: { outputFile: string; tmux: boolean; tmuxSocket?: string | undefined },
  ) {
    const { outputFile, tmux, tmuxSocket } = place;
    const { session, storyId, timestamp, config } = worker;
    this.worker = worker;
    this.spent = new SessionSpent(config.worker.model);
    this.record = {
      version: 1,
      session,
      story: storyId,
      ...describeProcess(process.pid),
      outputFile,
      tmux,
      tmuxSocket,
      startedAt: createSessionClock(worker)(timestamp),
      startedIn: worker.paths.root,
      model: config.worker.model,
      cycle: 0,
      tokens: 0,
      costUsd: 0,
    };
  }

  get totals() {
    const { cycle, tokens, costUsd, isCostEstimated, isCostUnknown } = this.record;
    return {
      cycles: cycle,
      tokens,
      costUsd,
      isCostEstimated: isCostEstimated || undefined,
      isCostUnknown: isCostUnknown || undefined,
    };
  }

  read(event: RunEvent): void {
    const { record } = this;
    switch (event.type) {
      // Before this step the worker may find that the story has a worker already; then it must not write a
      // record.
      case 'worktree:start':
        this.isKnown = true;
        this.save();
        return;
      case 'run:start':
        record.cycle = event.cycle;
        this.spent.begin(event.model);
        break;
      case 'run:init':
        if (event.model !== undefined) this.spent.begin(event.model);
        return;
      case 'run:end':
        this.noteSpent(this.spent.end(event));
        delete record.silentSince;
        delete record.task;
        delete record.activity;
        break;
      case 'run:tool':
        record.activity = formatCall(event);
        this.noteSpent(
          this.spent.at({
            tokens: event.tokens ?? 0,
            costUsd: event.costUsd ?? 0,
            isCostEstimated: true,
            isCostUnknown: event.isCostUnknown,
          }),
        );
        break;
      case 'task:status':
        if (event.to === 'in_progress') record.task = this.describeTask(event.task);
        else if (record.task === this.describeTask(event.task)) delete record.task;
        break;
      case 'limit:waiting':
      case 'outage:waiting':
      case 'answer:waiting': {
        const { type, until, reason } = event;
        record.waiting = { for: WAITS[type], until, reason };
        break;
      }
      case 'limit:waited':
      case 'outage:waited':
      case 'answer:waited':
        delete record.waiting;
        break;
      case 'run:silent':
        record.silentSince = event.since;
        break;
      case 'run:alive':
        delete record.silentSince;
        break;
      case 'follow:start':
      case 'follow:checks': {
        const checks = event.type === 'follow:checks' ? event.running : 0;
        record.following = { number: event.number, checks };
        record.activity = describeFollowing(record.following).text;
        break;
      }
      case 'follow:round':
      case 'follow:end':
        delete record.following;
        delete record.activity;
        break;
      case 'gate:start':
        record.activity = 'gate';
        break;
      case 'gate:verify':
        this.verifying = `verify: ${event.command}`;
        record.activity = this.verifying;
        break;
      case 'gate:silent':
        record.activity = `verify, nothing printed since ${formatHourAndMinute(event.since)}: ${event.command}`;
        break;
      case 'gate:output':
        if (record.activity === this.verifying) return;
        record.activity = this.verifying;
        break;
      default:
        return;
    }
    this.saveSoon();
  }

  end({ kind, reason, cause, error }: Outcome & { reason: string; error?: unknown }): void {
    clearTimeout(this.timer);
    if (!this.isKnown) return;
    const { record } = this;
    delete record.task;
    delete record.activity;
    delete record.waiting;
    delete record.following;
    delete record.silentSince;
    record.endedAt = createSessionClock(this.worker)(Date.now());
    record.outcome = kind;
    record.reason = reason;
    record.cause = cause;
    if (error instanceof SagaError) record.hint = error.hint;
    this.save();
  }

  private noteSpent(spent: SpentNow): void {
    delete this.record.isCostEstimated;
    delete this.record.isCostUnknown;
    Object.assign(this.record, spent);
  }

  private saveSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.save();
    }, EVERY_MS);
    this.timer.unref();
  }

  private save(): void {
    if (!this.isKnown) return;
    try {
      saveSessionRecord(this.worker.paths, this.record);
    } catch {
      // The record is only for display: the output file has every event, and the work does not depend on the
      // record.
    }
  }

  private describeTask(taskId: string): string {
    try {
      const { tasks } = loadStory(this.worker.paths, this.worker.storyId);
      const task = tasks.find((it) => it.id === taskId);
      return task?.activeForm ?? task?.subject ?? taskId;
    } catch {
      // A run may have broken the story's files; they are put back after the run.
      return taskId;
    }
  }
}
