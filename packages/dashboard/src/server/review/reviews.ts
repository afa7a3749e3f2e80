import { SagaError } from '@saga-ai/core/errors';
import type { Git } from '@saga-ai/core/git/git';
import { openPlainGit } from '@saga-ai/core/git/plain-git';
import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import { findHome } from '@saga-ai/core/overview/scan-project';
import { loadConfigOrDefaults } from '@saga-ai/core/plan/config';
import { notFound } from '@saga-ai/core/plan/not-found';
import { scanStory } from '@saga-ai/core/plan/scan-story';
import type { Environment } from '@saga-ai/core/processes/run';
import { loadFileDiff } from '@saga-ai/core/review/file-diff';
import { findUncommitted } from '@saga-ai/core/review/find-uncommitted';
import { requireReviewRange } from '@saga-ai/core/review/require-range';
import { listReviewFiles, type ReviewList } from '@saga-ai/core/review/review-files';
import { parseJournal } from '@saga-ai/types/plan/journal';
import { isChecked } from '@saga-ai/types/screens/life';
import type {
  FileDiffAnswer,
  ReviewAnswer,
  ReviewCommits,
} from '@saga-ai/types/screens/review/review';

const GIT_MS = 20_000;
/** How many lists of files are remembered, for the pages that are open. */
const REMEMBERED = 20;
const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** What a reviewer of a story or an epic sees. The same functions answer `saga diff`. */
export class Reviews {
  readonly #project: LiveProject;
  readonly #env: Environment;
  readonly #git: Git;
  readonly #lists = new Map<string, Promise<ReviewList>>();

  constructor(project: LiveProject, env: Environment) {
    this.#project = project;
    this.#env = env;
    this.#git = openPlainGit(project.paths.root, env);
  }

  async find(id: string): Promise<ReviewAnswer> {
    const { paths, overview } = this.#project;
    const story = overview.story(id);
    const epic = story ? undefined : overview.epic(id);
    const view = story ?? epic;
    if (!view) throw notFound(paths, id);
    const kind = story ? 'story' : 'epic';
    const config = loadConfigOrDefaults(paths, { environment: this.#env });
    const range = await requireReviewRange(this.#git, { paths, config, kind, id }, GIT_MS);
    const [{ files, planFiles }, uncommitted] = await Promise.all([
      this.#list(range),
      story ? this.#findUncommitted(id, range) : [],
    ]);
    const home = story && findHome(paths, id);
    const scan = home && scanStory(paths.root, home.home, id);
    return {
      kind,
      id,
      title: view.title,
      ...range,
      files,
      planFiles,
      uncommitted,
      evidence: scan?.evidence ?? null,
      isChecked: story !== undefined && isChecked(story),
      journal: parseJournal(scan?.journal ?? '').entries,
      // A landing has the lock of the story too, but no session.
      isRunning: (story?.session ?? null) !== null,
    };
  }

  /** The diff of one file between commits that the page was told. */
  async findFile(commits: ReviewCommits, place: number, isWhole: boolean): Promise<FileDiffAnswer> {
    requireCommits(commits);
    const file = (await this.#list(commits)).files[place];
    if (!file) {
      throw new SagaError(
        'not-found',
        'The review has no such file.',
        'Reload the page: the branch has changed meanwhile.',
      );
    }
    return loadFileDiff(this.#git, commits, file, { isWhole, timeoutMs: GIT_MS });
  }

  /**
   * Lists uncommitted files. Never throws, because an error in a worktree must not keep the reviewer from the commits.
   */
  async #findUncommitted(id: string, range: { isMerged: boolean }): Promise<string[]> {
    try {
      return await findUncommitted(this.#project.paths, this.#env, id, range);
    } catch {
      // git fails in a worktree that is being made or removed.
      return [];
    }
  }

  /** Lists the changed files. Commits do not change, so a remembered list stays valid. */
  #list({ from, to }: ReviewCommits): Promise<ReviewList> {
    const key = `${from} ${to}`;
    const list = this.#lists.get(key) ?? listReviewFiles(this.#git, { from, to }, GIT_MS);
    this.#lists.delete(key);
    this.#lists.set(key, list);
    list.catch(() => this.#lists.delete(key));
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > REMEMBERED && oldest !== undefined) this.#lists.delete(oldest);
    return list;
  }
}

/** Only what looks like a hash is handed to git. */
export function requireCommits({ from, to }: ReviewCommits): void {
  if (HASH.test(from) && HASH.test(to)) return;
  throw new SagaError('usage', 'from and to must be commits.', 'Reload the page.');
}
