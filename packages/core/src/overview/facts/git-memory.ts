import { formatConfigVariable } from '@saga-ai/types/config-variable';
import type { EvidenceFacts } from '@saga-ai/types/screens/story-facts';
import { loadCacheFile, saveCacheFile } from '../../files/cache-file.ts';
import type { Environment } from '../../processes/run.ts';
import { gitFactsFile, type Paths } from '../../project/paths.ts';
import type { Checked, GitFacts } from './git-facts.ts';
import { type GitStamp, readGitStamp } from './git-stamp.ts';

/** Raise it when the meaning of what is remembered changes. */
const KIND = 'saga-git-facts 1';

const BASE_VARIABLE = formatConfigVariable('worktree.baseBranch');

const NOTHING: GitFacts = { inBase: {}, tips: {}, onlyRemote: [] };

interface Remembered {
  /** The stamp that the facts were read with; empty if they must be read again. */
  stamp: string;
  /** `worktree.baseBranch` as it was then. */
  given?: string;
  facts: GitFacts;
  /** By story: whether its branch at `tip` is still what was checked at `head`. */
  compared: Record<string, { head: string; tip: string; isSame: boolean }>;
}

/**
 * What git knows of all stories, remembered between two commands. While the files of git are the same,
 * no git is started. Nothing is fetched.
 */
export class GitMemory {
  readonly #paths: Paths;
  readonly #env: Environment;
  readonly #isKept: boolean;
  #known: Remembered;
  #isChanged = false;
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

  /** git's files are other than when they were last read. */
  isStale(): boolean {
    const stamp = this.#readStamp();
    return stamp === undefined ? this.isRepository : stamp.text !== this.#known.stamp;
  }

  /** Reads again what changed. A git that fails or is missing knows nothing. */
  async refresh(): Promise<void> {
    const stamp = this.#readStamp();
    this.isRepository = stamp !== undefined;
    if (stamp?.text === this.#known.stamp) return;
    const { compared, facts: before } = this.#known;
    if (!stamp) {
      this.#known = { ...createEmpty(), compared };
      return;
    }
    const [{ findGitFacts }, git, { loadConfigOrDefaults }] = await Promise.all([
      import('./git-facts.ts'),
      this.#openGit(),
      import('../../plan/config.ts'),
    ]);
    const environment = this.#env;
    const given =
      loadConfigOrDefaults(this.#paths, { environment }).worktree.baseBranch ?? undefined;
    try {
      const facts = await findGitFacts(git, given, before);
      const place = given === undefined ? {} : { given };
      this.#known = { stamp: stamp.isSettled ? stamp.text : '', ...place, facts, compared };
    } catch {
      this.#known = { ...createEmpty(), compared };
    }
    this.#isChanged = true;
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
      // Without git nothing is known of it, and nothing is remembered.
    }
  }

  isInBase(id: string): boolean {
    return this.facts.inBase[id] !== undefined;
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
    const told = this.#env[BASE_VARIABLE];
    return stamp && told !== undefined ? { ...stamp, text: `${stamp.text} ${told}` } : stamp;
  }

  async #openGit() {
    const { openPlainGit } = await import('../../git/plain-git.ts');
    return openPlainGit(this.#paths.root, this.#env);
  }
}

const createEmpty = (): Remembered => ({ stamp: '', facts: NOTHING, compared: {} });

function load(file: string): Remembered {
  const found = loadCacheFile(file, KIND) as Partial<Remembered> | null | undefined;
  const isSound =
    typeof found?.stamp === 'string' &&
    isObject(found.compared) &&
    isObject(found.facts?.inBase) &&
    isObject(found.facts?.tips);
  return isSound ? (found as Remembered) : createEmpty();
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
