import { createHash } from 'node:crypto';
import { messageOf, SagaError } from '../../errors.ts';
import { ensureIgnoredFolder } from '../../files/atomic-write.ts';
import { loadCacheFile, saveCacheFile } from '../../files/cache-file.ts';
import type { ForgePull } from '../../forge/forge.ts';
import { GhRefusal, isRefusal } from '../../forge/gh-refusal.ts';
import type { Activity } from '../../forge/reviewed.ts';
import { withLock } from '../../processes/lock.ts';
import { activityFile } from '../../project/paths.ts';
import type { Worker } from '../context.ts';

/** After this many usual pauses, a pull request is looked at as a whole in any case: once an hour. */
const WHOLE_EVERY = 60;
/** If GitHub says that it was asked too often, no worker asks for this many usual pauses. */
const REST = 10;
/** The part of GitHub's limit that is left to the person. */
const RESERVE = 0.1;
const LOCK_MS = 10_000;
const KIND = 'saga-activity-1';

/** What all workers of a project that follow pull requests of one repository know together. */
interface Shared {
  time: number;
  digests: Readonly<Record<string, string>>;
  /** The time before which no worker asks. */
  restUntil?: number;
}

/**
 * Says whether anything happened on a pull request, so that it is looked at as a whole only then. All workers
 * of a project share one question: the first that needs an answer asks, and leaves it in a file for the others.
 * The file is only a hint: if it is removed or forged, a look is delayed by an hour at most.
 */
export class ActivityWatch {
  readonly #worker: Pick<Worker, 'paths' | 'emit'>;
  readonly #place: ForgePull;
  readonly #everyMs: number;
  readonly #file: string;
  #digest = '';
  #seen: { digest: string; time: number } | undefined;

  constructor(worker: Pick<Worker, 'paths' | 'emit'>, place: ForgePull, everyMs: number) {
    const name = createHash('sha256').update(place.repository).digest('hex').slice(0, 12);
    this.#worker = worker;
    this.#place = place;
    this.#everyMs = everyMs;
    this.#file = activityFile(worker.paths, name);
  }

  /** Whether to look at the pull request as a whole now. */
  async hasNews(): Promise<boolean> {
    const shared = await this.#load();
    if (shared === undefined || Date.now() < (shared.restUntil ?? 0)) return false;
    this.#digest = shared.digests[String(this.#place.number)] ?? '';
    if (this.#seen === undefined || this.#digest === '') return true;
    const isOld = Date.now() - this.#seen.time >= this.#everyMs * WHOLE_EVERY;
    return isOld || this.#digest !== this.#seen.digest;
  }

  /** The pull request was looked at, and nothing is left to do. */
  noteLooked(): void {
    this.#seen = { digest: this.#digest, time: Date.now() };
  }

  /** GitHub refused to show the pull request. If GitHub was asked too often, all workers pause. */
  noteFailure(error: GhRefusal): void {
    this.#worker.emit('follow:failed', { reason: error.message });
    const { digests = {} } = this.#recall() ?? {};
    if (isRefusal(error, 'too-often')) this.#save({ time: Date.now(), digests, ...this.#rest() });
  }

  /** The newest answer; undefined if another worker has been asking for too long. */
  async #load(): Promise<Shared | undefined> {
    const known = this.#recall();
    if (known && this.#isFresh(known)) return known;
    ensureIgnoredFolder(this.#worker.paths.cache);
    try {
      const ask = async () => {
        const newer = this.#recall();
        return newer && this.#isFresh(newer) ? newer : this.#ask(newer?.digests ?? {});
      };
      return await withLock(`${this.#file}.lock`, ask, { waitMs: LOCK_MS });
    } catch (error) {
      if (error instanceof SagaError) return undefined;
      throw error;
    }
  }

  async #ask(before: Shared['digests']): Promise<Shared> {
    const time = Date.now();
    try {
      const { digests, budget } = await this.#place.loadActivity();
      return this.#save({ time, digests, ...this.#keepReserve(budget) });
    } catch (error) {
      if (!(error instanceof GhRefusal)) throw error;
      this.#worker.emit('follow:failed', { reason: messageOf(error) });
      return this.#save({
        time,
        digests: before,
        ...(isRefusal(error, 'too-often') ? this.#rest() : {}),
      });
    }
  }

  /** If few of the allowed requests are left, they are left to the person until GitHub counts anew. */
  #keepReserve(budget: Activity['budget']): Pick<Shared, 'restUntil'> {
    if (!budget || budget.remaining >= budget.limit * RESERVE) return {};
    const { remaining, limit, resetAt } = budget;
    const restUntil = Date.parse(resetAt);
    if (!(restUntil > Date.now())) return {};
    const reason = `only ${remaining} of ${limit} requests are left, so SAGA asks again at ${resetAt}`;
    this.#worker.emit('follow:failed', { reason });
    return { restUntil };
  }

  #rest = () => ({ restUntil: Date.now() + this.#everyMs * REST });

  #isFresh({ time, restUntil = 0 }: Shared): boolean {
    const now = Date.now();
    return now < restUntil || (time <= now && now - time < this.#everyMs * 0.9);
  }

  #recall(): Shared | undefined {
    const found = loadCacheFile(this.#file, KIND) as Partial<Shared> | undefined;
    if (typeof found?.time !== 'number' || typeof found.digests !== 'object') return undefined;
    // No worker rests for longer than GitHub's own hour, even if the file says so.
    const rest = Number(found.restUntil ?? 0);
    const isSound = rest - Date.now() <= Math.max(3_600_000, this.#everyMs * REST);
    return {
      time: found.time,
      digests: found.digests,
      restUntil: rest && isSound ? rest : undefined,
    };
  }

  #save(shared: Shared): Shared {
    saveCacheFile(this.#file, KIND, shared);
    return shared;
  }
}
