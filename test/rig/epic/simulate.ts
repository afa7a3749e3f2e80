import type { EpicChild } from '@saga-ai/types/plan/epic';
import type { LifeState } from '@saga-ai/types/screens/life';
import type { EpicView, StoryView } from '@saga-ai/types/screens/overview';
import {
  type EpicItem,
  layOutAgain,
  type PlannedItem,
} from '../../../packages/core/src/epic/layout.ts';
import { doOverlap } from '../../../packages/core/src/epic/overlap.ts';
import {
  type Candidate,
  type Limits,
  type Schedule,
  type Standing,
  schedule,
} from '../../../packages/core/src/epic/schedule.ts';
import { noteLook, type StartedStory, survey } from '../../../packages/core/src/epic/survey.ts';

/** What happens to a story in a simulation. */
export interface Fate {
  /** The time of its worker, and of its merge. */
  work: number;
  merge: number;
  /** How often its worker ends in need of a person before it passes. */
  failures: number;
  /** How long a person takes to help. Undefined means that nobody helps. */
  help?: number;
  /** Its merges succeed, and it does not count as done, until a person helps: a new commit is then on its branch. */
  isUnproven?: boolean;
  /** When it is taken out of the plan. What waited for it no longer does. */
  removed?: number;
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
  /** `tip` is what was merged, and `scheduler` counts those that were killed. */
  merges: { id: string; at: number; tip: number; scheduler: number }[];
  /** What is merged in the end. */
  done: string[];
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
  /** Counts what a person adds to its branch. */
  tip: number;
}

const STATES: Readonly<Record<Standing, LifeState>> = {
  open: 'ready',
  running: 'running',
  passed: 'in review',
  merged: 'done',
  stuck: 'needs you',
};

const NEVER = Number.POSITIVE_INFINITY;

/** Carries a plan through on a simulated clock. Throws if the scheduler breaks one of its promises. */
export function simulate({ items, fates, limits, kills = [] }: World): Told {
  const lives = new Map<string, Live>(
    items.map(({ id }) => [id, { standing: 'open', until: NEVER, failed: 0, tip: 0 }]),
  );
  const attempts = new Map<string, StartedStory>();
  let planned: readonly PlannedItem[] = items;
  const told: Told = { starts: [], merges: [], done: [], most: 0, end: 0, last: decide(undefined) };
  let merging: { id: string; until: number } | undefined;
  let killed = 0;
  for (let now = 0, step = 0; ; step++) {
    if (step > items.length * 40 + 100) throw new Error('the simulation does not end');
    // A scheduler that is killed forgets its merge, for the branch did not move, and all that it tried.
    if ((kills[killed] ?? NEVER) <= now) {
      killed += 1;
      merging = undefined;
      attempts.clear();
    }
    look(now);
    const decision = decide(merging?.id);
    told.last = decision;
    for (const id of decision.start) begin(id, now);
    for (const id of decision.stop) Object.assign(of(id), { standing: 'stuck', until: NEVER });
    if (decision.merge !== undefined) {
      if (merging) throw new Error('two merges at once');
      const id = decision.merge;
      merging = { id, until: now + (fates.get(id)?.merge ?? 0) };
      told.merges.push({ id, at: now, tip: of(id).tip, scheduler: killed });
    }
    told.most = Math.max(told.most, count('running'));
    if (count('running') > limits.jobs) throw new Error('more workers than jobs');
    const removals = [...fates.values()].map(({ removed = NEVER }) => removed);
    const next = Math.min(
      merging?.until ?? NEVER,
      kills[killed] ?? NEVER,
      ...removals.filter((it) => it > now),
      ...[...lives.values()].map(({ until }) => until),
    );
    if (next === NEVER || (decision.phase === 'done' && !merging)) {
      told.end = now;
      told.done = items.map(({ id }) => id).filter((id) => of(id).standing === 'merged');
      return told;
    }
    now = next;
    if (merging && merging.until <= now) {
      merge(merging.id, now);
      merging = undefined;
    }
    for (const [id, life] of lives) if (life.until <= now) moveOn(id, life, now);
  }

  /** Lays the plan out again after a person took stories out of it. */
  function replan(left: readonly EpicItem[]): void {
    const kept = new Set(left.map(({ id }) => id));
    const epics = new Map<string, { children: EpicChild[] }>([['root', { children: [] }]]);
    for (const { id, kind } of left) if (kind === 'epic') epics.set(id, { children: [] });
    for (const { id, epic, needs } of left) {
      epics.get(epic)?.children.push({ id, blockedBy: needs.filter((it) => kept.has(it)) });
    }
    planned = layOutAgain('root', planned, epics);
  }

  /** Does what a scheduler does with what it sees. */
  function look(now: number): void {
    const left = items.filter(({ id }) => (fates.get(id)?.removed ?? NEVER) > now);
    if (left.length < planned.filter((it) => it.isPlanned !== false).length) replan(left);
    for (const item of planned) {
      const { id, isPlanned = true } = item;
      const attempt = attempts.get(id) ?? { starts: 0, isRunning: false };
      attempts.set(id, attempt);
      const { standing, tip } = of(id);
      noteLook(attempt, item, { state: STATES[standing], tips: [`${tip}`], isPlanned }, '');
    }
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
    const views = items.map(({ id, kind }) => ({ id, kind, state: STATES[of(id).standing] }));
    const stories = views.filter((it) => it.kind === 'story') as unknown as StoryView[];
    const epics = views.filter((it) => it.kind === 'epic') as unknown as EpicView[];
    const candidates = survey(planned, { stories, epics }, attempts).map(
      (it): Candidate => ({ ...it, weight: fates.get(it.id)?.work ?? 0 }),
    );
    return schedule(candidates, {
      ...limits,
      isPaused: false,
      isOver: false,
      merging: busy,
    });
  }

  function begin(id: string, now: number): void {
    const item = planned.find((it) => it.id === id);
    const life = of(id);
    if (item?.isPlanned === false) throw new Error(`${id} begins outside of the plan`);
    if (item?.kind !== 'story') throw new Error(`${id} is no story`);
    if (life.standing !== 'open') throw new Error(`${id} begins twice`);
    for (const need of item.needs) {
      if (of(need).standing !== 'merged') throw new Error(`${id} begins before ${need} is merged`);
    }
    for (const other of items) {
      // One that only a person can help, or that is no longer in the plan, holds up nobody.
      const isLeft = attempts.get(other.id)?.trouble !== undefined;
      const isActive = !isLeft && ['running', 'passed'].includes(of(other.id).standing);
      if (isActive && other.id !== id && doOverlap(other.writes, item.writes)) {
        throw new Error(`${id} and ${other.id} write the same files at once`);
      }
    }
    Object.assign(life, { standing: 'running', until: now + (fates.get(id)?.work ?? 1) });
    attempts.set(id, { starts: (attempts.get(id)?.starts ?? 0) + 1, isRunning: true });
    told.starts.push({ id, at: now });
  }

  function merge(id: string, now: number): void {
    const life = of(id);
    if (life.standing === 'merged') throw new Error(`${id} is merged twice`);
    for (const child of planned.filter((it) => it.epic === id && it.isPlanned !== false)) {
      if (of(child.id).standing !== 'merged') throw new Error(`${id} is merged before ${child.id}`);
    }
    const { removed = NEVER, isUnproven, help = NEVER } = fates.get(id) ?? {};
    const starts = attempts.get(id)?.starts ?? 0;
    const mark = { state: STATES[life.standing], tips: [`${life.tip}`], isPlanned: true };
    attempts.set(id, { starts, isRunning: false, merged: { mark } });
    const isStory = planned.some((it) => it.id === id && it.kind === 'story');
    if (isStory && isUnproven && life.tip === 0) life.until = now + help;
    else if (removed > now) life.standing = 'merged';
  }

  /** Moves a story on, when its worker ends or a person has helped. */
  function moveOn(id: string, life: Live, now: number): void {
    const { failures = 0, help } = fates.get(id) ?? {};
    if (life.standing === 'passed') {
      Object.assign(life, { tip: life.tip + 1, until: NEVER });
      return;
    }
    if (life.standing === 'stuck') {
      Object.assign(life, { standing: 'open', until: NEVER });
      return;
    }
    const isNeedy = life.failed < failures;
    const starts = attempts.get(id)?.starts ?? 0;
    attempts.set(id, { starts, isRunning: false, end: isNeedy ? 'needs-you' : 'done' });
    if (isNeedy) {
      const until = help === undefined ? NEVER : now + help;
      Object.assign(life, { standing: 'stuck', until, failed: life.failed + 1 });
      return;
    }
    // A person merges at once in a simulation.
    const standing = limits.isReviewed ? 'merged' : 'passed';
    Object.assign(life, { standing, until: NEVER });
  }
}
