import { messageOf } from '../errors.ts';
import type { Fence } from '../worker/context.ts';
import type { Lease } from './engine.ts';

export interface KeeperOptions {
  machine: string;
  leaseMs: number;
  /** Called once, when the lease is lost for good. */
  onLost(reason: string): void;
  /** Called with the reason when the engine cannot be reached, and with undefined when it can be reached again. */
  onAway?(reason: string | undefined): void;
}

/**
 * Renews a lease as long as its work goes on, and says before each push whether it still holds. If the engine does not
 * answer, the lease stays valid as long as no other machine can have got it. After that, this machine pushes only once
 * the lease is renewed.
 */
export class LeaseKeeper implements Fence, Disposable {
  readonly lease: number;
  readonly machine: string;
  readonly #lease: Lease;
  readonly #options: KeeperOptions;
  readonly #timer: NodeJS.Timeout;
  /** When the last renewal that succeeded was asked for. */
  #renewedAt = now();
  #isLost = false;
  #isAway = false;
  #renewing: Promise<Renewal> | undefined;

  constructor(lease: Lease, options: KeeperOptions) {
    this.lease = lease.number;
    this.machine = options.machine;
    this.#lease = lease;
    this.#options = options;
    const renew = () =>
      this.#renew().catch(() => {
        // Nobody could be told of the renewal. The next one tells it again.
      });
    this.#timer = setInterval(renew, options.leaseMs / 3);
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  async check(): Promise<string | undefined> {
    const { id } = this.#lease.job;
    const renewal = this.#isLost ? 'lost' : await this.#renew();
    if (renewal === 'lost') return lostWords(id, this.lease);
    if (renewal === 'held' || !this.#isOver()) return undefined;
    return `the engine cannot be reached (${renewal.reason}), so another machine may have taken over ${id}; nothing is pushed until the lease was renewed`;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #isOver(): boolean {
    return elapsed(this.#renewedAt) >= this.#options.leaseMs;
  }

  /** Renews the lease. Two calls at the same time make one renewal. */
  #renew(): Promise<Renewal> {
    this.#renewing ??= this.#ask().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #ask(): Promise<Renewal> {
    if (this.#isLost) return 'lost';
    const askedAt = now();
    try {
      const isHeld = await withLimit(this.#lease.renew(), this.#options.leaseMs / 3);
      if (this.#isAway) this.#options.onAway?.(undefined);
      this.#isAway = false;
      if (isHeld) {
        this.#renewedAt = askedAt;
        return 'held';
      }
      this.#isLost = true;
      clearInterval(this.#timer);
      this.#options.onLost(lostWords(this.#lease.job.id, this.lease));
      return 'lost';
    } catch (error) {
      const reason = messageOf(error);
      if (!this.#isAway) this.#options.onAway?.(reason);
      this.#isAway = true;
      return { reason };
    }
  }
}

type Renewal = 'held' | 'lost' | { reason: string };

const lostWords = (id: string, lease: number) =>
  `this machine was not heard of for too long, so lease ${lease} is over and another machine may work on ${id}`;

/** A moment by two clocks. One clock may stand still while the machine sleeps, the other may be set back. */
interface Moment {
  steady: number;
  wall: number;
}

const now = (): Moment => ({ steady: performance.now(), wall: Date.now() });
const elapsed = ({ steady, wall }: Moment): number =>
  Math.max(performance.now() - steady, Date.now() - wall);

/** Rejects if the promise takes longer. */
export async function withLimit<T>(promise: Promise<T>, ms: number): Promise<T> {
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no answer within ${Math.ceil(ms / 1000)} s`)),
    ms,
  );
  // If the limit comes first, a later rejection of the promise must not end the process.
  promise.catch(() => {});
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
