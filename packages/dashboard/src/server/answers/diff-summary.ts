import { type Git, openGit } from '@saga-ai/core/git/git';
import { sameValue } from '@saga-ai/core/overview/live/same-value';
import { loadConfigOrDefaults } from '@saga-ai/core/plan/config';
import type { Environment } from '@saga-ai/core/processes/run';
import type { Paths } from '@saga-ai/core/project/paths';
import { findReviewRange } from '@saga-ai/core/review/find-range';
import { listChanges } from '@saga-ai/core/review/list-changes';
import { storyPath } from '@saga-ai/types/plan/plan-paths';
import type { DiffFile, DiffSummary } from '@saga-ai/types/screens/dashboard';
import type { StoryView } from '@saga-ai/types/screens/overview';

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

  /** Returns null if the story was never begun or git fails. */
  async find(view: StoryView): Promise<DiffSummary | null> {
    const { id, branch, home, state } = view;
    const isMerged = state === 'done';
    const isUnderWay = branch !== null || home !== storyPath(id);
    if (!isMerged && !isUnderWay) return null;
    const last = this.#last.get(id);
    const asked = this.#asking.get(id) ?? this.#ask(view);
    return last === undefined ? asked : last;
  }

  #ask(view: StoryView): Promise<DiffSummary | null> {
    const { id } = view;
    const asked = this.#compare(view).then((found) => {
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
  async #compare({ id }: StoryView): Promise<DiffSummary | null> {
    try {
      const config = loadConfigOrDefaults(this.#paths, { environment: this.#git.env });
      const item = { paths: this.#paths, config, kind: 'story', id } as const;
      const range = await findReviewRange(this.#git, item, GIT_MS);
      if (!range) return null;
      const changes = await listChanges(this.#git, range, GIT_MS);
      const { head, from, isMerged } = range;
      const base = isMerged ? from : range.base;
      return { base, head, isMerged, ...cutFiles(changes) };
    } catch {
      // git is not installed or failed, so the page shows no diff.
      return null;
    }
  }

  #remember(id: string, found: DiffSummary | null): void {
    this.#last.delete(id);
    this.#last.set(id, found);
    const [oldest] = this.#last.keys();
    if (this.#last.size > REMEMBERED && oldest !== undefined) this.#last.delete(oldest);
  }
}

/** Lists the first files, and counts the others. */
export function cutFiles(changes: readonly DiffFile[]): Pick<DiffSummary, 'files' | 'omitted'> {
  const files = changes.slice(0, MOST_FILES);
  return { files, omitted: changes.length - files.length };
}
