import { formatConfigVariable } from '@saga-ai/types/config-variable';
import type { Epic } from '@saga-ai/types/plan/epic';
import { findParents, listAround } from '@saga-ai/types/plan/epic-parents';
import type { CopyFacts, EvidenceFacts, LocatedStory } from '@saga-ai/types/screens/story-facts';
import { formatEpicBranch } from '@saga-ai/types/words/names';
import { loadCacheFile, saveCacheFile } from '../../files/cache-file.ts';
import type { Environment } from '../../processes/run.ts';
import { gitFactsFile, type Paths } from '../../project/paths.ts';
import { chooseBaseBranch, readBaseRule } from './choose-base-branch.ts';
import type { Checked, GitFacts, Parted } from './git-facts.ts';
import { type GitStamp, readGitStamp } from './git-stamp.ts';
import type { Copy, Wanted } from './story-copies.ts';

/** Raise it when the meaning of what is remembered changes. */
const KIND = 'saga-git-facts 7';

/** The settings that the facts depend on, as they are called in the environment. */
const VARIABLES = ['worktree.baseBranch', 'epic.integrate'].map(formatConfigVariable);

const NOTHING: GitFacts = { inBase: {}, tips: {}, epics: {} };

interface Remembered {
  /** The stamp that the facts were read with; empty if they must be read again. */
  stamp: string;
  /** `worktree.baseBranch` as it was then. */
  given?: string;
  /** Stories of an epic start from its branch. */
  isByEpic: boolean;
  facts: GitFacts;
  /** By story: whether its branch at `tip` is still what was checked at `head`. */
  compared: Record<string, { head: string; tip: string; isSame: boolean }>;
  /** By story: whether its branch at `tip` has ever had the plan with this digest. */
  plans: Record<string, { digest: string; tip: string; isOlder: boolean }>;
  /** By story: how many commits of the base its branch lacks. */
  behind: Record<string, { tip: string; base: string; count: number }>;
  /** By story: its folder as a commit has it. `plan` is missing if the commit has no copy. */
  copies: Record<string, { commit: string } & Partial<Copy>>;
}

/** The fields of a story that are needed to ask git about it. */
export type Asked = Pick<LocatedStory, 'facts' | 'running' | 'worktree'>;

/** If there are more worktrees than this, SAGA does not count how far each is behind. */
const MOST_COUNTED = 100;

/**
 * What git knows of all stories, kept between two commands. While the files of git are the same, no git is started.
 * Nothing is fetched.
 */
export class GitMemory {
  readonly #paths: Paths;
  readonly #env: Environment;
  readonly #isKept: boolean;
  #known: Remembered;
  #isChanged = false;
  /** The epic that each story or epic is a child of. */
  #parents: ReadonlyMap<string, string> = new Map();
  /** The digests of plans in the main checkout, of stories that have a branch and no worktree. */
  readonly #mainPlans = new Map<string, string>();
  /** The project is in a repository. */
  isRepository = false;

  constructor(paths: Paths, env: Environment, { isKept = true } = {}) {
    this.#paths = paths;
    this.#env = env;
    this.#isKept = isKept;
    this.#known = isKept ? load(gitFactsFile(paths)) : createEmpty();
  }

  get facts(): GitFacts {
    return this.#known.facts;
  }

  /** Call this before any question that depends on the base of a story. */
  setEpics(epics: readonly Epic[]): void {
    this.#parents = findParents(epics);
  }

  /** Whether git's files have changed since they were last read. */
  isStale(): boolean {
    const stamp = this.#readStamp();
    return stamp === undefined ? this.isRepository : stamp.text !== this.#known.stamp;
  }

  /** Reads again what changed. If git fails or is missing, there are no facts. */
  async refresh(): Promise<void> {
    const stamp = this.#readStamp();
    this.isRepository = stamp !== undefined;
    if (stamp?.text === this.#known.stamp) return;
    const { facts: before, ...kept } = this.#known;
    if (!stamp) {
      this.#known = { ...kept, stamp: '', facts: NOTHING };
      return;
    }
    const [{ findGitFacts }, git, { loadConfigOrDefaults }] = await Promise.all([
      import('./git-facts.ts'),
      this.#openGit(),
      import('../../plan/config.ts'),
    ]);
    const environment = this.#env;
    const rule = readBaseRule(loadConfigOrDefaults(this.#paths, { environment }));
    try {
      const facts = await findGitFacts(git, rule.given, before);
      const { given: _, ...rest } = kept;
      const text = stamp.isSettled ? stamp.text : '';
      this.#known = { ...rest, stamp: text, ...rule, facts };
    } catch {
      this.#known = { ...kept, stamp: '', facts: NOTHING };
    }
    this.#isChanged = true;
  }

  /** Reads the stories from git whose folder here is out of date. */
  async loadCopies(stories: Iterable<Asked>): Promise<void> {
    const wanted: Wanted[] = [];
    for (const story of stories) {
      const { id } = story.facts;
      const commit = this.#findNewer(story);
      if (commit === undefined || this.#known.copies[id]?.commit === commit) continue;
      wanted.push({ id, commit });
    }
    if (wanted.length === 0) return;
    const [{ loadCopies }, git] = await Promise.all([import('./story-copies.ts'), this.#openGit()]);
    try {
      const copies = await loadCopies(git, wanted);
      for (const { id, commit } of wanted) {
        this.#known.copies[id] = { commit, ...copies.get(id) };
      }
      this.#isChanged = true;
    } catch {
      // Without git there are no facts, and none are remembered.
    }
  }

  /** Returns undefined if the folder of the story on this machine is the live copy. */
  copyOf(story: Asked): CopyFacts | undefined {
    const commit = this.#findNewer(story);
    const known = commit === undefined ? undefined : this.#known.copies[story.facts.id];
    return known?.commit === commit ? known?.facts : undefined;
  }

  /**
   * Returns the commit that has a newer copy of the story than its folder here: the tip of its branch if the story has
   * no worktree here, or the base if the story was merged and the main checkout lacks the merge.
   */
  #findNewer({ facts, worktree, running }: Asked): string | undefined {
    if (worktree || running) return undefined;
    if (this.isInBase(facts.id)) return facts.evidence ? undefined : this.facts.base?.commit;
    const tip = this.facts.tips[facts.id];
    if (tip !== undefined || facts.evidence) return tip;
    const [epic] = this.mergedInto(facts.id);
    return epic === undefined ? undefined : this.facts.epics[epic]?.commit;
  }

  /** Compares the branches of stories whose gate passed with what was checked. */
  async compare(stories: Iterable<{ id: string; evidence?: EvidenceFacts }>): Promise<void> {
    const asked: Checked[] = [];
    for (const { id, evidence } of stories) {
      const tip = this.facts.tips[id];
      if (evidence?.outcome !== 'passed' || tip === undefined || this.isInBase(id)) continue;
      const known = this.#known.compared[id];
      if (known?.head === evidence.head && known.tip === tip) continue;
      asked.push({ id, head: evidence.head, tip });
    }
    if (asked.length === 0) return;
    const [{ findUnchanged }, git] = await Promise.all([import('./git-facts.ts'), this.#openGit()]);
    try {
      const same = await findUnchanged(git, asked);
      for (const { id, head, tip } of asked) {
        this.#known.compared[id] = { head, tip, isSame: same.has(id) };
      }
      this.#isChanged = true;
    } catch {
      // Without git there are no facts, and none are remembered.
    }
  }

  /** Whether the live copy of the story's plan is only on its branch. Call `loadCopies` before. */
  isOnBranch({ facts, running, worktree }: Asked): boolean {
    const { id } = facts;
    const { commit, plan } = this.#known.copies[id] ?? {};
    if (worktree || running || plan === undefined) return false;
    return commit === this.facts.tips[id] && !this.isMerged(id);
  }

  setMainPlan(id: string, digest: string | undefined): void {
    if (digest === undefined) this.#mainPlans.delete(id);
    else this.#mainPlans.set(id, digest);
  }

  /** Returns the digest of the main checkout's plan if that plan differs from the live one. */
  #otherPlan(story: Asked): string | undefined {
    if (story.worktree) return story.worktree.otherPlan;
    const main = this.isOnBranch(story) ? this.#mainPlans.get(story.facts.id) : undefined;
    return main === this.#known.copies[story.facts.id]?.plan ? undefined : main;
  }

  /** Finds out whether the branches of stories have ever had the plans that are in the main checkout. */
  async comparePlans(stories: Iterable<Asked>): Promise<void> {
    for (const story of stories) {
      const { id } = story.facts;
      const [digest, tip] = [this.#otherPlan(story), this.facts.tips[id]];
      if (digest === undefined || tip === undefined || story.running || this.isInBase(id)) continue;
      const known = this.#known.plans[id];
      if (known?.digest === digest && known.tip === tip) continue;
      const [{ hasHadPlan }, git] = await Promise.all([
        import('./plan-history.ts'),
        this.#openGit(),
      ]);
      try {
        const isOlder = await hasHadPlan(git, id, tip, digest);
        this.#known.plans[id] = { digest, tip, isOlder };
        this.#isChanged = true;
      } catch {
        // Without git there are no facts, and none are remembered.
      }
    }
  }

  /** Counts how far the branches of stories with a worktree are behind their base. */
  async countBehind(stories: Iterable<Asked>): Promise<void> {
    const asked: Parted[] = [];
    for (const { facts, worktree } of stories) {
      const { id } = facts;
      const [tip, base] = [this.facts.tips[id], this.baseOf(id)?.commit];
      if (!worktree || tip === undefined || base === undefined || this.isMerged(id)) continue;
      const known = this.#known.behind[id];
      if (known?.tip === tip && known.base === base) continue;
      asked.push({ id, tip, base });
    }
    if (asked.length === 0 || asked.length > MOST_COUNTED) return;
    const [{ countBehind }, git] = await Promise.all([import('./git-facts.ts'), this.#openGit()]);
    try {
      const counts = await countBehind(git, asked);
      for (const { id, tip, base } of asked) {
        const count = counts.get(id);
        if (count !== undefined) this.#known.behind[id] = { tip, base, count };
      }
      this.#isChanged = true;
    } catch {
      // Without git there are no facts, and none are remembered.
    }
  }

  /** Whether the plan in the main checkout was edited, as far as git could be asked. */
  hasTwoCopies(story: Asked): boolean {
    const { id } = story.facts;
    const [digest, tip] = [this.#otherPlan(story), this.facts.tips[id]];
    if (digest === undefined || this.isInBase(id)) return false;
    // If the folder is on no branch, git knows nothing more about the plan.
    if (tip === undefined) return true;
    const known = this.#known.plans[id];
    return known?.digest === digest && known.tip === tip && !known.isOlder;
  }

  /** Returns undefined if the commits were not counted. */
  behindOf(id: string): number | undefined {
    const known = this.#known.behind[id];
    if (known === undefined || this.isMerged(id)) return undefined;
    const isCurrent = known.tip === this.facts.tips[id] && known.base === this.baseOf(id)?.commit;
    return isCurrent ? known.count : undefined;
  }

  /** The branch that a story starts from and is merged into: of the nearest epic that has one, or the base. */
  baseOf(id: string): { branch: string; commit: string } | undefined {
    const epic = this.#findEpic(id);
    const start = epic === undefined ? undefined : this.facts.epics[epic]?.start;
    if (epic === undefined || start === undefined) return this.facts.base;
    return { branch: formatEpicBranch(epic), commit: start };
  }

  #findEpic(id: string): string | undefined {
    if (!this.#parents.has(id)) return undefined;
    const around = listAround(this.#parents, id);
    const hasBranch = (epic: string) => this.facts.epics[epic] !== undefined;
    return chooseBaseBranch(this.#known, around, hasBranch).epic;
  }

  /** Whether the base of the story has it, with evidence that its gate passed. */
  isMerged(id: string): boolean {
    if (this.isInBase(id)) return true;
    const epic = this.#findEpic(id);
    return epic !== undefined && this.facts.epics[epic]?.inBase[id] !== undefined;
  }

  isInBase(id: string): boolean {
    return this.facts.inBase[id] !== undefined;
  }

  /** Lists the epics whose branches contain the story with evidence that its gate passed. */
  mergedInto(id: string): string[] {
    const found: string[] = [];
    for (const epic in this.facts.epics) {
      if (this.facts.epics[epic]?.inBase[id] !== undefined) found.push(epic);
    }
    return found;
  }

  /** A story without a branch has nothing that could have changed. */
  isUnchanged(id: string, head: string): boolean {
    const tip = this.facts.tips[id];
    if (tip === undefined || tip === head) return true;
    const known = this.#known.compared[id];
    return known?.head === head && known.tip === tip && known.isSame;
  }

  save(): void {
    if (!this.#isChanged || !this.#isKept) return;
    this.#isChanged = false;
    saveCacheFile(gitFactsFile(this.#paths), KIND, this.#known);
  }

  #readStamp(): GitStamp | undefined {
    const { given, facts } = this.#known;
    const stamp = readGitStamp(this.#paths, given ?? facts.base?.branch);
    const told = VARIABLES.flatMap((name) => this.#env[name] ?? []);
    return stamp && told.length > 0 ? { ...stamp, text: [stamp.text, ...told].join(' ') } : stamp;
  }

  async #openGit() {
    const { openPlainGit } = await import('../../git/plain-git.ts');
    return openPlainGit(this.#paths.root, this.#env);
  }
}

const createEmpty = (): Remembered => ({
  stamp: '',
  isByEpic: false,
  facts: NOTHING,
  compared: {},
  plans: {},
  behind: {},
  copies: {},
});

function load(file: string): Remembered {
  const found = loadCacheFile(file, KIND) as Partial<Remembered> | null | undefined;
  const isSound =
    typeof found?.stamp === 'string' &&
    typeof found.isByEpic === 'boolean' &&
    isObject(found.compared) &&
    isObject(found.plans) &&
    isObject(found.behind) &&
    isObject(found.copies) &&
    isObject(found.facts?.inBase) &&
    isObject(found.facts?.tips) &&
    isObject(found.facts?.epics);
  return isSound ? (found as Remembered) : createEmpty();
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
