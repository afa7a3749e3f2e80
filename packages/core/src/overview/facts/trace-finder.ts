import type { Epic } from '@saga-ai/types/plan/epic';
import type { Trouble } from '@saga-ai/types/run/session-record';
import type { LocatedStory, StoryFacts, StoryTraces } from '@saga-ai/types/screens/story-facts';
import type { Environment } from '../../processes/run.ts';
import type { Paths } from '../../project/paths.ts';
import type { GitFacts } from './git-facts.ts';
import { type Asked, GitMemory } from './git-memory.ts';
import { LastEnds } from './last-ends.ts';

interface Options {
  /** True to remember git's answers for the next command. */
  isKept?: boolean;
  /** True if what schedulers cannot do is left out: a scheduler finds that out itself. */
  isForScheduler?: boolean;
  /** Returns the digest of the main checkout's copy of a story's plan, or undefined if it has none. */
  digestPlan(storyId: string): Promise<string | undefined>;
}

/** Finds what git and the records of sessions know of stories. */
export class TraceFinder {
  readonly #git: GitMemory;
  readonly #ends: LastEnds;

  readonly #isForScheduler: boolean;
  readonly #digestPlan: Options['digestPlan'];

  constructor(paths: Paths, env: Environment, { digestPlan, ...options }: Options) {
    this.#isForScheduler = options.isForScheduler ?? false;
    this.#git = new GitMemory(paths, env, options);
    this.#ends = new LastEnds(paths);
    this.#digestPlan = digestPlan;
  }

  get baseCommit(): string | undefined {
    return this.#git.facts.base?.commit;
  }

  /** Call this before `compare`. */
  setEpics(epics: readonly Epic[]): void {
    this.#git.setEpics(epics);
  }

  /** Whether git's files have changed since they were last read. */
  isStale(): boolean {
    return this.#git.isStale();
  }

  /** Reads again what changed in git. Returns the stories that it may concern, or `all`. */
  async refresh(): Promise<ReadonlySet<string> | 'all'> {
    const wasRepository = this.#git.isRepository;
    const before = this.#git.facts;
    await this.#git.refresh();
    return wasRepository === this.#git.isRepository
      ? findDifferent(before, this.#git.facts)
      : 'all';
  }

  /** Asks git about stories. Call this before `complete`. */
  async compare(stories: Iterable<LocatedStory>): Promise<void> {
    const asked = [...stories];
    await this.#git.loadCopies(asked);
    await this.#git.compare(asked.map((story) => this.#factsOf(story)));
    const inWorktrees = asked.filter(({ worktree }) => worktree);
    const onBranches = asked.filter((story) => this.#git.isOnBranch(story));
    for (const { facts } of onBranches) {
      this.#git.setMainPlan(facts.id, await this.#digestPlan(facts.id));
    }
    await this.#git.comparePlans([...inWorktrees, ...onBranches]);
    await this.#git.countBehind(inWorktrees);
  }

  /** Returns the items of which schedulers say something else now. */
  relistSessions(changed?: Iterable<string>): string[] {
    return this.#ends.relist(changed);
  }

  /** Returns why a scheduler leaves an item alone, if the item is still on the same commit. */
  findTrouble(id: string): Trouble | undefined {
    const trouble = this.#isForScheduler ? undefined : this.#ends.findTrouble(id);
    const { tips, epics } = this.#git.facts;
    const tip = tips[id] ?? epics[id]?.commit;
    return trouble && (tip === undefined ? trouble.tips.length === 0 : trouble.tips.includes(tip))
      ? trouble
      : undefined;
  }

  /**
   * Adds to a story what git and the records know. The facts of a story without a worktree may come from its branch.
   */
  complete<T extends Asked>(story: T): T & { facts: StoryFacts; traces: StoryTraces } {
    const facts = this.#factsOf(story);
    return { ...story, facts, traces: this.#find(story, facts) };
  }

  #factsOf(story: Asked): StoryFacts {
    const copy = this.#git.copyOf(story);
    return copy ? { ...story.facts, ...copy } : story.facts;
  }

  #find(story: Asked, { id, evidence }: StoryFacts): StoryTraces {
    const { running } = story;
    const { tips } = this.#git.facts;
    const hasPassed = evidence?.outcome === 'passed';
    // Without a repository there is no base to be merged into.
    const isInBase = this.#git.isRepository ? this.#git.isInBase(id) : hasPassed;
    const base = this.#git.isInBase(id) ? this.#git.facts.base : this.#git.baseOf(id);
    const mergedInto = this.#git.mergedInto(id);
    const isOver = isInBase && hasPassed;
    const lastEnd = running || isOver ? undefined : this.#ends.find(id);
    const following = running || !hasPassed || isOver ? undefined : this.#ends.findFollowing(id);
    const trouble = running || isOver ? undefined : this.findTrouble(id);
    const behind = story.worktree && this.#git.behindOf(id);
    return {
      base: base ? base.branch : undefined,
      isInBase,
      mergedInto: mergedInto.length > 0 ? mergedInto : undefined,
      hasBranch: tips[id] !== undefined,
      isUnchanged: evidence === undefined || this.#git.isUnchanged(id, evidence.head),
      lastEnd,
      following,
      trouble,
      hasTwoCopies: this.#git.hasTwoCopies(story) ? (true as const) : undefined,
      behind,
    };
  }

  save(): void {
    this.#git.save();
  }
}

function findDifferent(before: GitFacts, after: GitFacts): ReadonlySet<string> | 'all' {
  if (before.base?.branch !== after.base?.branch) return 'all';
  if (JSON.stringify(before.epics) !== JSON.stringify(after.epics)) return 'all';
  const ids = new Set<string>();
  for (const key of ['inBase', 'tips'] as const) {
    for (const id of [...Object.keys(before[key]), ...Object.keys(after[key])]) {
      if (before[key][id] !== after[key][id]) ids.add(id);
    }
  }
  return ids;
}
