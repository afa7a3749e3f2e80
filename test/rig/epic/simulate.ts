import type { EpicItem } from '../../../packages/core/src/epic/layout.ts';
import { doOverlap } from '../../../packages/core/src/epic/overlap.ts';
import {
  type Candidate,
  type Limits,
  type Schedule,
  type Standing,
  schedule,
} from '../../../packages/core/src/epic/schedule.ts';

/** What happens to a story in a simulation. */
export interface Fate {
  /** The time of its worker, and of its merge. */
  work: number;
  merge: number;
  /** How often its worker ends in need of a person before it passes. */
  failures: number;
  /** How long a person takes to help. Undefined means that nobody helps. */
  help?: number;
}

export interface World {
  items: readonly EpicItem[];
  fates: ReadonlyMap<string, Fate>;
  limits: Pick<Limits, 'jobs' | 'failFast' | 'isReviewed'>;
  /** Times at which the scheduler is killed and started again. What runs goes on. */
  kills?: readonly number[];
}

export interface Told {
  starts: { id: string; at: number }[];
  merges: { id: string; at: number }[];
  /** The most workers at once. */
  most: number;
  /** The time at which nothing was left to do. */
  end: number;
  last: Schedule;
}

interface Live {
  standing: Standing;
  until: number;
  failed: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Carries a plan through on a simulated clock. Throws if the scheduler breaks one of its promises. */
export function simulate({ items, fates, limits, kills = [] }: World): Told {
  const lives = new Map<string, Live>(
    items.map(({ id }) => [id, { standing: 'open', until: NEVER, failed: 0 }]),
  );
  const told: Told = { starts: [], merges: [], most: 0, end: 0, last: decide(undefined) };
  let merging: { id: string; until: number } | undefined;
  let killed = 0;
  for (let now = 0, step = 0; ; step++) {
    if (step > items.length * 40 + 100) throw new Error('the simulation does not end');
    // A scheduler that is killed forgets its merge; the branch did not move.
    if ((kills[killed] ?? NEVER) <= now) {
      killed += 1;
      merging = undefined;
    }
    const decision = decide(merging?.id);
    told.last = decision;
    for (const id of decision.start) begin(id, now);
    for (const id of decision.stop) Object.assign(of(id), { standing: 'stuck', until: NEVER });
    if (decision.merge !== undefined) {
      if (merging) throw new Error('two merges at once');
      merging = { id: decision.merge, until: now + (fates.get(decision.merge)?.merge ?? 0) };
    }
    told.most = Math.max(told.most, count('running'));
    if (count('running') > limits.jobs) throw new Error('more workers than jobs');
    const next = Math.min(
      merging?.until ?? NEVER,
      kills[killed] ?? NEVER,
      ...[...lives.values()].map(({ until }) => until),
    );
    if (next === NEVER || (decision.phase === 'done' && !merging)) {
      told.end = now;
      return told;
    }
    now = next;
    if (merging && merging.until <= now) {
      merge(merging.id, now);
      merging = undefined;
    }
    for (const [id, life] of lives) if (life.until <= now) moveOn(id, life, now);
  }

  function of(id: string): Live {
    const life = lives.get(id);
    if (!life) throw new Error(`${id} is unknown`);
    return life;
  }

  function count(standing: Standing): number {
    return [...lives.values()].filter((it) => it.standing === standing).length;
  }

  function decide(busy: string | undefined): Schedule {
    const candidates = items.map(
      (item): Candidate => ({
        ...item,
        standing: of(item.id).standing,
        weight: fates.get(item.id)?.work ?? 0,
      }),
    );
    return schedule(candidates, {
      ...limits,
      isPaused: false,
      isOver: false,
      merging: busy,
    });
  }

  function begin(id: string, now: number): void {
    const item = items.find((it) => it.id === id);
    const life = of(id);
    if (item?.kind !== 'story') throw new Error(`${id} is no story`);
    if (life.standing !== 'open') throw new Error(`${id} begins twice`);
    for (const need of item.needs) {
      if (of(need).standing !== 'merged') throw new Error(`${id} begins before ${need} is merged`);
    }
    for (const other of items) {
      const isActive = ['running', 'passed'].includes(of(other.id).standing);
      if (isActive && other.id !== id && doOverlap(other.writes, item.writes)) {
        throw new Error(`${id} and ${other.id} write the same files at once`);
      }
    }
    Object.assign(life, { standing: 'running', until: now + (fates.get(id)?.work ?? 1) });
    told.starts.push({ id, at: now });
  }

  function merge(id: string, now: number): void {
    const life = of(id);
    if (life.standing === 'merged') throw new Error(`${id} is merged twice`);
    for (const child of items.filter((it) => it.epic === id)) {
      if (of(child.id).standing !== 'merged') throw new Error(`${id} is merged before ${child.id}`);
    }
    life.standing = 'merged';
    told.merges.push({ id, at: now });
  }

  /** Moves a story on, when its worker ends or a person has helped. */
  function moveOn(id: string, life: Live, now: number): void {
    const { failures = 0, help } = fates.get(id) ?? {};
    if (life.standing === 'stuck') {
      Object.assign(life, { standing: 'open', until: NEVER });
      return;
    }
    if (life.failed < failures) {
      const until = help === undefined ? NEVER : now + help;
      Object.assign(life, { standing: 'stuck', until, failed: life.failed + 1 });
      return;
    }
    // A person merges at once in a simulation.
    const standing = limits.isReviewed ? 'merged' : 'passed';
    Object.assign(life, { standing, until: NEVER });
  }
}
