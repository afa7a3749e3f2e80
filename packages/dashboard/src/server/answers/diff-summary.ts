import { deriveBase } from '@saga-ai/core/git/find-base';
import { type Git, openGit } from '@saga-ai/core/git/git';
import { loadRefs } from '@saga-ai/core/git/refs';
import { sameValue } from '@saga-ai/core/overview/live/same-value';
import { loadConfigOrDefaults } from '@saga-ai/core/plan/config';
import type { Environment } from '@saga-ai/core/processes/run';
import type { Paths } from '@saga-ai/core/project/paths';
import type { Evidence } from '@saga-ai/types/run/evidence';
import type { DiffFile, DiffSummary } from '@saga-ai/types/screens/dashboard';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { formatStoryBranch } from '@saga-ai/types/words/names';
import { findMergedRange } from './merged-range.ts';

const MOST_FILES = 1000;
const GIT_MS = 5000;
const REMEMBERED = 100;

/**
 * The changes on the branches of stories, from this repository only; nothing is fetched. A commit changes no
 * watched file, and git is slow. So the last result is returned at once, git is asked again in the
 * background, and the listener is called if the new result is different.
 */
export class DiffSummaries {
  readonly #git: Git;
  readonly #paths: Paths;
  readonly #onOther: (story: string) => void;
  /** The last results by story. */
  readonly #last = new Map<string, DiffSummary | null>();
  readonly #asking = new Map<string, Promise<DiffSummary | null>>();

  constructor(paths: Paths, env: Environment, onOther: (story: string) => void) {
    this.#git = openGit(paths.root, env);
    this.#paths = paths;
    this.#onOther = onOther;
  }

  /** Returns null if the story was never begun or git fails. The evidence says what a merged story was. */
  async find(view: StoryView, evidence?: Evidence | null): Promise<DiffSummary | null> {
    const { id, branch, home, state } = view;
    const isMerged = state === 'done';
    const isUnderWay = branch !== null || home !== `.saga/stories/${id}`;
    if (!isMerged && !isUnderWay) return null;
    const last = this.#last.get(id);
    const asked = this.#asking.get(id) ?? this.#ask(view, isMerged ? (evidence ?? null) : null);
    return last === undefined ? asked : last;
  }

  #ask(view: StoryView, merged: Evidence | null): Promise<DiffSummary | null> {
    const { id } = view;
    const asked = this.#compare(view, merged).then((found) => {
      const last = this.#last.get(id);
      this.#asking.delete(id);
      this.#remember(id, found);
      if (last !== undefined && !sameValue(last, found)) this.#onOther(id);
      return found;
    });
    this.#asking.set(id, asked);
    return asked;
  }

  /** Never throws: the page shows the story even if git fails. */
  async #compare(view: StoryView, merged: Evidence | null): Promise<DiffSummary | null> {
    try {
      const refs = await loadRefs(this.#git, GIT_MS);
      const { worktree } = loadConfigOrDefaults(this.#paths, { environment: this.#git.env });
      const base = deriveBase(refs, worktree.baseBranch ?? undefined);
      if (base === undefined) return null;
      if (merged) return await this.#compareMerged(view.id, merged, base.commit);
      const branch = view.branch ?? formatStoryBranch(view.id);
      const head = refs.commits.get(`refs/heads/${branch}`);
      if (head === undefined) return null;
      const files = await this.#list(`${base.commit}...${head}`);
      return files && { base: base.branch ?? base.commit, head: branch, isMerged: false, ...files };
    } catch {
      // git is not installed, so the page shows no diff.
      return null;
    }
  }

  async #compareMerged(id: string, evidence: Evidence, base: string): Promise<DiffSummary | null> {
    const range = await findMergedRange(this.#git, id, evidence, base, GIT_MS);
    const files = range && (await this.#list(`${range.from}..${range.to}`));
    return files ? { base: range.from, head: range.to, isMerged: true, ...files } : null;
  }

  async #list(range: string): Promise<Pick<DiffSummary, 'files' | 'omitted'> | null> {
    const args = ['diff', '--numstat', '--no-renames', '--no-ext-diff', '--no-textconv', '-z'];
    const { code, stdout } = await this.#git.attempt([...args, range], { timeoutMs: GIT_MS });
    return code === 0 ? parseNumstat(stdout) : null;
  }

  #remember(id: string, found: DiffSummary | null): void {
    this.#last.delete(id);
    this.#last.set(id, found);
    const [oldest] = this.#last.keys();
    if (this.#last.size > REMEMBERED && oldest !== undefined) this.#last.delete(oldest);
  }
}

/** Parses the lines added and removed in each file. git gives no numbers for a binary file. */
export function parseNumstat(text: string): Pick<DiffSummary, 'files' | 'omitted'> {
  const records = text.split('\0').filter(Boolean);
  const files = records.slice(0, MOST_FILES).flatMap((record): DiffFile[] => {
    const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(record) ?? [];
    if (path === undefined) return [];
    return [{ path, added: toCount(added), removed: toCount(removed) }];
  });
  return { files, omitted: Math.max(0, records.length - MOST_FILES) };
}

const toCount = (text: string | undefined) => (text === '-' ? null : Number(text));
