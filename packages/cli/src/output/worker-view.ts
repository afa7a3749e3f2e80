import type { Task } from '@saga-ai/types/plan/task';
import type { SessionEvent } from '@saga-ai/types/run/event';
import { type Cost, formatDuration, formatSpent } from '@saga-ai/types/words/amounts';
import { formatCall } from '@saga-ai/types/words/format-call';
import { formatEvent } from './event-line.ts';
import { LiveBlock, writeLoosely } from './live-block.ts';
import { formatLines, type Output } from './output.ts';
import { formatRows } from './rows.ts';
import { stateOfTask } from './state.ts';
import { cleanLine, cut, pad } from './text.ts';
import { formatOutput } from './verify-output.ts';

/** What the terminal of a worker shows: one line per step, and the current run live. */
export interface WorkerView extends Disposable {
  read(event: SessionEvent): void;
  /** Removes what is shown live, so that other lines can follow. */
  clear(): void;
}

export function createWorkerView(out: Output, loadTasks: () => readonly Task[]): WorkerView {
  if (process.stdout.isTTY !== true) {
    return { read: (event) => print(formatPlain(event, out)), clear() {}, [Symbol.dispose]() {} };
  }
  return new LiveView(out, loadTasks);
}

function print(lines: readonly string[]): void {
  if (lines.length > 0) writeLoosely(formatLines(lines));
}

function formatPlain(event: SessionEvent, out: Output): string[] {
  if (event.type === 'gate:output') return formatOutput(event, out);
  return formatEvent(event, out.paint, out.width);
}

const EVERY_MS = 1000;
const SHOWN_OUTPUT = 6;

class LiveView implements WorkerView {
  private readonly out: Output;
  private readonly loadTasks: () => readonly Task[];
  private readonly block = new LiveBlock();
  private run:
    | { cycle: number; model: string; startedAt: number; tokens: number; cost: Cost }
    | undefined;
  private activity = '';
  /** The verify command that runs now, and the last lines that it printed. */
  private verify: { command: string; startedAt: number; lines: string[] } | undefined;
  /** The tasks as they were when their files could last be read. */
  private tasks: readonly Task[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(out: Output, loadTasks: () => readonly Task[]) {
    this.out = out;
    this.loadTasks = loadTasks;
    this.timer = setInterval(() => this.redraw(), EVERY_MS);
    this.timer.unref();
  }

  read(event: SessionEvent): void {
    if (event.type === 'run:start') {
      const { cycle, model } = event;
      this.run = { cycle, model, startedAt: Date.now(), tokens: 0, cost: { costUsd: 0 } };
      this.activity = '';
    }
    if (event.type === 'run:tool') this.activity = formatCall(event);
    if (this.run && (event.type === 'run:tool' || event.type === 'run:text')) {
      this.run.tokens = event.tokens ?? this.run.tokens;
    }
    if (this.run && event.type === 'run:tool') {
      const { costUsd = 0, isCostUnknown } = event;
      this.run.cost = { costUsd, isCostUnknown, isCostEstimated: true };
    }
    if (event.type === 'run:end') this.run = undefined;
    if (this.readVerify(event)) {
      this.redraw();
      return;
    }
    // The live part already shows these events of the run.
    const isLive = this.run && (event.type === 'run:start' || event.type === 'task:status');
    const lines = isLive ? [] : formatEvent(event, this.out.paint, this.out.width);
    if (lines.length > 0 || this.run || this.block.isDrawn) this.redraw(lines);
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
  }

  clear(): void {
    this.run = undefined;
    this.verify = undefined;
    this.redraw();
  }

  /** Returns whether the live part shows the event. */
  private readVerify(event: SessionEvent): boolean {
    if (event.type === 'gate:verify') {
      this.verify = { command: event.command, startedAt: Date.now(), lines: [] };
      return true;
    }
    if (event.type === 'gate:output' && this.verify) {
      this.verify.lines = [...this.verify.lines, ...event.lines].slice(-SHOWN_OUTPUT);
      return true;
    }
    if (event.type !== 'gate:silent') this.verify = undefined;
    return false;
  }

  private redraw(lines: readonly string[] = []): void {
    const live = this.verify ? this.describeVerify(this.verify) : this.describeRun();
    this.block.draw(live, lines);
  }

  private describeVerify({ command, startedAt, lines }: NonNullable<LiveView['verify']>): string[] {
    const { out } = this;
    const elapsed = formatDuration(Date.now() - startedAt);
    const head = `${out.paint('running', '●')} ${pad('verify', 13)}  ${elapsed} · ${cleanLine(command)}`;
    return [cut(head, out.width - 1), ...formatOutput({ lines }, { ...out, width: out.width - 1 })];
  }

  /** A run may break the story's files for a while. The worker restores them after the run. */
  private readTasks(): readonly Task[] {
    try {
      this.tasks = this.loadTasks();
    } catch {
      // Keep the last tasks that could be read. The worker reports the broken files.
    }
    return this.tasks;
  }

  private describeRun(): string[] {
    const { out, run } = this;
    if (!run) return [];
    const elapsed = formatDuration(Date.now() - run.startedAt);
    const head = ['guarded', elapsed, ...formatSpent(run.tokens, run.cost)].join(' · ');
    const tasks = this.readTasks();
    const completed = new Set(tasks.filter((it) => it.status === 'completed').map((it) => it.id));
    const shown = tasks.slice(0, Math.max(3, (process.stdout.rows ?? 24) - 12));
    const rows = shown.map((task) => {
      const { glyph, tone } = stateOfTask(
        task.status,
        task.blockedBy.some((it) => !completed.has(it)),
      );
      const isNow = task.status === 'in_progress';
      const text = isNow && this.activity !== '' ? this.activity : task.subject;
      return [
        { text: isNow ? '●' : glyph, tone: isNow ? ('running' as const) : tone },
        { text: task.id },
        { text: cleanLine(text), flexible: true },
      ];
    });
    const more = tasks.length - shown.length;
    return [
      cut(`● run ${run.cycle}          model ${run.model} · ${head}`, out.width - 1),
      ...formatRows(rows, { ...out, width: out.width - 1, indent: '    ' }),
      ...(more > 0 ? [`    … ${more} more`] : []),
    ];
  }
}
