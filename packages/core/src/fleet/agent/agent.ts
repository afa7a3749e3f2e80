import { randomUUID } from 'node:crypto';
import { messageOf } from '../../errors.ts';
import type { MachineWish, Taker } from '../engine.ts';
import { findTrouble } from './find-trouble.ts';
import type { AgentOrder } from './order.ts';
import { RunningJob } from './run-job.ts';

/** The most schedulers of epics that a machine carries: they wait most of the time. */
const MOST_SCHEDULERS = 8;
/** The longest time until a word of a person is heard. */
const HEAR_MS = 300;
/**
 * How long the agent waits before it asks an engine that is away again: after the first failure, the second, and so on.
 */
const AWAY_MS = [500, 1000, 2000, 5000, 10_000, 30_000];

/**
 * Takes stories and epics from the engine and works on them, until it is stopped, drained or removed. Work that
 * is under way then goes back into the queue.
 */
export async function runAgent(order: AgentOrder): Promise<void> {
  await using agent = new Agent(order);
  await agent.work();
}

class Agent implements AsyncDisposable {
  readonly #order: AgentOrder;
  readonly #taker: Taker;
  readonly #instance = randomUUID();
  readonly #running = new Set<RunningJob>();
  readonly #listening: AsyncDisposable[] = [];
  #wish: MachineWish = 'work';
  /** Why this machine takes no jobs now. */
  #trouble: string | undefined;
  #isToldUnfit = false;
  #failures = 0;
  #hearing: NodeJS.Timeout | undefined;
  #hasNews = false;
  #wake: (() => void) | undefined;

  constructor(order: AgentOrder) {
    this.#order = order;
    const { machine, labels, repositories } = order;
    this.#taker = { machine, labels, repositories: repositories.map(({ name }) => name) };
  }

  async work(): Promise<void> {
    const { stop, engine, machine, tell, isOnce } = this.#order;
    const onStop = () => this.#tell();
    stop.addEventListener('abort', onStop);
    // A wrong address, a wrong password or a name that is taken is an error, not an outage.
    await this.#report();
    await this.#listen();
    tell({ type: 'ready', machine });
    for (;;) {
      if (stop.aborted) return this.#leaveAll(String(stop.reason));
      let taken = 0;
      try {
        await this.#report();
        if (this.#wish === 'removed')
          return this.#leaveAll('this machine was removed from the fleet');
        if (this.#wish === 'work' && this.#trouble === undefined) taken = await this.#take();
        await this.#hearAll();
        if (this.#failures > 0) tell({ type: 'back' });
        this.#failures = 0;
      } catch (error) {
        if (this.#failures === 0) tell({ type: 'away', reason: messageOf(error) });
        this.#failures++;
      }
      const isIdle = this.#running.size === 0 && taken === 0 && this.#failures === 0;
      if (isIdle && (isOnce || this.#wish === 'draining')) {
        await engine.machines.leave(machine).catch(() => {});
        return;
      }
      if (taken === 0) await this.#waitForNews();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#hearing);
    for (const it of this.#listening) await it[Symbol.asyncDispose]();
  }

  async #report(): Promise<void> {
    const { engine, machine, labels, jobs, sagaVersion, clientVersion, tell, data } = this.#order;
    const trouble = findTrouble(data);
    this.#trouble = trouble;
    const wish = await engine.machines.report({
      name: machine,
      instance: this.#instance,
      labels,
      jobs,
      sagaVersion,
      clientVersion,
      repositories: this.#taker.repositories,
      trouble,
    });
    // The trouble is reported here only once the engine knows it, so that saga fleet shows everything that the machine
    // shows.
    if (trouble === undefined && this.#isToldUnfit) tell({ type: 'fit' });
    if (trouble !== undefined && !this.#isToldUnfit) tell({ type: 'unfit', reason: trouble });
    this.#isToldUnfit = trouble !== undefined;
    if (wish !== this.#wish) tell({ type: 'wish', wish });
    this.#wish = wish;
  }

  async #listen(): Promise<void> {
    const { engine } = this.#order;
    const wake = () => this.#tell();
    this.#listening.push(await engine.jobs.listen(this.#taker, wake));
    for (const { key } of this.#taker.repositories) {
      this.#listening.push(await engine.news.listen(key, () => this.#hearSoon()));
    }
  }

  /** Takes as many jobs as there are free places. Returns how many. */
  async #take(): Promise<number> {
    const { engine, jobs, tell } = this.#order;
    const free = {
      story: jobs - this.#count('story'),
      epic: MOST_SCHEDULERS - this.#count('epic'),
    };
    let taken = 0;
    for (const kind of ['epic', 'story'] as const) {
      if (free[kind] <= 0) continue;
      for (const lease of await engine.jobs.take(this.#taker, kind, free[kind])) {
        taken++;
        const { job, number, earlier } = lease;
        tell({ type: 'taken', id: job.id, kind: job.kind, lease: number, earlier });
        const running = new RunningJob(this.#order, lease);
        this.#running.add(running);
        void running.over.then(() => {
          this.#running.delete(running);
          this.#tell();
        });
      }
    }
    return taken;
  }

  #count(kind: 'story' | 'epic'): number {
    return [...this.#running].filter(({ lease }) => lease.job.kind === kind).length;
  }

  /** Called for every event of every machine, so it returns at once if this machine runs nothing. */
  #hearSoon(): void {
    if (this.#running.size === 0) return;
    this.#hearing ??= setTimeout(() => {
      this.#hearing = undefined;
      this.#hearAll().catch(() => {
        // The next beat finds out that the engine is away.
      });
    }, HEAR_MS);
  }

  async #hearAll(): Promise<void> {
    await Promise.all([...this.#running].map((it) => it.hear()));
  }

  async #leaveAll(reason: string): Promise<void> {
    const { engine, machine, tell } = this.#order;
    tell({ type: 'stopping', reason });
    for (const it of this.#running) it.leave(reason);
    await Promise.all([...this.#running].map(({ over }) => over));
    await engine.machines.leave(machine).catch(() => {
      // The engine is away, and forgets this machine after its lease.
    });
  }

  #tell(): void {
    this.#hasNews = true;
    this.#wake?.();
  }

  async #waitForNews(): Promise<void> {
    const beat = this.#order.leaseMs / 3;
    const pause = AWAY_MS[Math.min(this.#failures, AWAY_MS.length) - 1] ?? beat;
    // While the engine is away, its earlier news do not end the wait; only a stop does.
    if (!this.#hasNews || (this.#failures > 0 && !this.#order.stop.aborted)) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(pause, beat));
        this.#wake = () => {
          if (this.#failures > 0 && !this.#order.stop.aborted) return;
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#hasNews = false;
  }
}
