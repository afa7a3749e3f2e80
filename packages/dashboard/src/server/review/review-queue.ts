import { loadRefs, type Refs } from '@saga-ai/core/git/branches';
import type { Git } from '@saga-ai/core/git/git';
import { openPlainGit } from '@saga-ai/core/git/plain-git';
import { openBases } from '@saga-ai/core/overview/facts/base-branches';
import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import { loadConfigOrDefaults } from '@saga-ai/core/plan/config';
import type { Environment } from '@saga-ai/core/processes/run';
import { NotedEvents } from '@saga-ai/core/records/noted-events';
import { findReviewRange } from '@saga-ai/core/review/find-range';
import { isForReview, listChanges } from '@saga-ai/core/review/list-changes';
import type { Config } from '@saga-ai/types/config';
import { orderTopologically } from '@saga-ai/types/plan/graph';
import type { EpicView, StoryView } from '@saga-ai/types/screens/overview';
import { deriveFollow, FOLLOW_EVENTS } from '@saga-ai/types/screens/review/follow-state';
import type { FollowView, ToReview, ToReviewAnswer } from '@saga-ai/types/screens/review/review';
import { count } from '@saga-ai/types/words/amounts';
import { formatEpicBranch, formatStoryBranch } from '@saga-ai/types/words/names';
import { listEpicsToLand } from '../answers/epics-to-land.ts';

/** The most items of the queue. The list of all stories shows the others. */
const SHOWN = 50;
const GIT_MS = 5000;

type Size = ToReview['size'];

/** What decides the size of an item besides its own branch. */
interface Known {
  refs: Refs;
  config: Config;
  /** The commit that the item is compared with. */
  base: string | undefined;
}

/** What waits for a reviewer, in the order in which it can be landed. */
export class ReviewQueue {
  readonly #project: LiveProject;
  readonly #env: Environment;
  readonly #git: Git;
  readonly #events = new NotedEvents(FOLLOW_EVENTS);
  /** Sizes by item. A size is valid as long as the commits are the same. */
  readonly #sizes = new Map<string, { key: string; size: Promise<Size> }>();

  constructor(project: LiveProject, env: Environment) {
    this.#project = project;
    this.#env = env;
    this.#git = openPlainGit(project.paths.root, env);
  }

  async find(): Promise<ToReviewAnswer> {
    const { overview } = this.#project;
    const follows = new Map<string, FollowView>();
    for (const { id, pr } of overview.stories) {
      if (pr === null) continue;
      const follow = await this.#findFollow(id);
      if (follow) follows.set(id, follow);
    }
    const stories = overview.stories.filter(
      ({ id, state }) => state === 'in review' || (state !== 'done' && follows.has(id)),
    );
    const toLand = new Set(listEpicsToLand(this.#project));
    // The plan in the main checkout names the branch of an epic only after that branch was merged.
    const epics = overview.epics.filter(
      (it) => toLand.has(it) || (it.state === 'in review' && it.branch !== null),
    );
    if (stories.length + epics.length === 0) return { items: [] };
    const oldestFirst = stories.toSorted((a, b) => (a.since ?? '~').localeCompare(b.since ?? '~'));
    const nodes = [
      ...oldestFirst.map((view) => ({ id: view.id, blockedBy: view.blockedBy, view })),
      ...epics.map((view) => ({
        id: view.id,
        // An epic comes after its stories.
        blockedBy: [...view.blockedBy, ...view.children.map((it) => it.id)],
        view,
      })),
    ];
    const { ordered, unordered } = orderTopologically(nodes);
    const inQueue = new Set(nodes.map((it) => it.id));
    const refs = await loadRefs(this.#git, GIT_MS).catch(() => undefined);
    const config = loadConfigOrDefaults(this.#project.paths, { environment: this.#env });
    const baseOf = refs && openBases(this.#project.paths, config, refs);
    const shown = [...ordered, ...unordered].slice(0, SHOWN);
    const items = shown.map(async ({ id, blockedBy, view }): Promise<ToReview> => {
      const follow = follows.get(id) ?? null;
      return {
        ...describe(view),
        id,
        size: baseOf
          ? await this.#findSize(view, { refs, config, base: baseOf(id)?.commit })
          : null,
        follow,
        obstacles: listObstacles(view, inQueue),
        after: blockedBy.filter((it) => inQueue.has(it)),
      };
    });
    return { items: await Promise.all(items) };
  }

  async #findFollow(id: string): Promise<FollowView | null> {
    const { sessions } = this.#project;
    const [newest] = sessions.list(id);
    const session = newest === undefined ? undefined : sessions.find(newest);
    if (session?.state !== 'running') return null;
    return deriveFollow(await this.#events.read(session.outputFile, session.outputSize));
  }

  /** Asks git only if a branch moved. */
  async #findSize(view: StoryView | EpicView, { refs, config, base }: Known): Promise<Size> {
    const kind = isStory(view) ? 'story' : 'epic';
    const { id } = view;
    const commitsOf = (branch: string) =>
      `${refs.commits.get(`refs/heads/${branch}`)} ${refs.commits.get(`refs/remotes/${refs.remote}/${branch}`)}`;
    const key = [
      commitsOf(kind === 'story' ? formatStoryBranch(id) : formatEpicBranch(id)),
      base,
    ].join(' ');
    const known = this.#sizes.get(id);
    if (known?.key === key) return known.size;
    const measure = async (): Promise<Size> => {
      const item = { paths: this.#project.paths, config, kind, id } as const;
      const range = await findReviewRange(this.#git, item, GIT_MS);
      if (!range) return null;
      const changes = await listChanges(this.#git, range, GIT_MS);
      const code = changes.filter(({ path }) => isForReview(path));
      const sum = (of: 'added' | 'removed') => code.reduce((all, it) => all + (it[of] ?? 0), 0);
      return { files: code.length, added: sum('added'), removed: sum('removed') };
    };
    // The queue is shown without a size if git fails.
    const size = measure().catch(() => null);
    this.#sizes.set(id, { key, size });
    return size;
  }
}

const isStory = (view: StoryView | EpicView): view is StoryView => 'unverified' in view;

function describe(view: StoryView | EpicView) {
  const { title, epic, pr } = view;
  if (!isStory(view)) {
    return { kind: 'epic', title, epic, pr, since: null, evidence: 'verified' } as const;
  }
  const evidence =
    view.state !== 'in review' ? 'none' : view.unverified ? 'unverified' : 'verified';
  return { kind: 'story', title, epic, pr, since: view.since, evidence } as const;
}

function listObstacles(view: StoryView | EpicView, inQueue: ReadonlySet<string>): string[] {
  const elsewhere = view.blockedBy.filter((it) => !inQueue.has(it));
  const obstacles = elsewhere.length > 0 ? [`waits for ${elsewhere.join(', ')}`] : [];
  if (!isStory(view)) {
    const open = view.progress.total - view.progress.completed - view.inReview;
    return open > 0 ? [...obstacles, `${count(open, 'story', 'stories')} not ready`] : obstacles;
  }
  if (view.state === 'running') return [...obstacles, 'a run works on it'];
  return view.state === 'in review' ? obstacles : [...obstacles, view.reason];
}
