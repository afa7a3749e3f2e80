import type { Epic } from '@saga-ai/types/plan/epic';
import {
  deriveEpicView,
  deriveOverview,
  deriveStoryView,
} from '@saga-ai/types/screens/derive-overview';
import { EpicTree } from '@saga-ai/types/screens/epic-tree';
import type { ChangeEvent } from '@saga-ai/types/screens/live';
import type { EpicView, StoryView } from '@saga-ai/types/screens/overview';
import type { Problem } from '@saga-ai/types/words/problem';
import type { Environment } from '../../processes/run.ts';
import type { Paths } from '../../project/paths.ts';
import type { ProjectChanges } from '../watch/project-changes.ts';
import { replaceChanged, takeChanged } from './changed-views.ts';
import { LivePlan, type LiveStory } from './live-plan.ts';
import { sameValue } from './same-value.ts';

type Changed = Pick<ChangeEvent, 'stories' | 'epics'>;

/** The overview in memory. Only what changed is read and derived again. */
export class LiveOverview {
  readonly #plan: LivePlan;
  #stories = new Map<string, StoryView>();
  #epics = new Map<string, EpicView>();
  /** A new array whenever a view changed, so a cache can compare the array. */
  stories: readonly StoryView[] = [];
  epics: readonly EpicView[] = [];
  problems: readonly Problem[] = [];
  #tree: EpicTree | undefined;
  /** Stories with problems of their own. */
  readonly #broken = new Set<string>();
  /** Stories whose worker is silent, and since when. */
  #stalls: ReadonlyMap<string, string> = new Map();

  private constructor(plan: LivePlan) {
    this.#plan = plan;
  }

  /** git is started with `env`. */
  static async open(paths: Paths, env: Environment): Promise<LiveOverview> {
    const plan = new LivePlan(paths, env);
    await plan.recall();
    const live = new LiveOverview(plan);
    live.#derive();
    return live;
  }

  /** False while some of a large project is only remembered, and not yet compared with its files. */
  get isVerified(): boolean {
    return this.#plan.isVerified;
  }

  /** True if the project was away while it was read, so that it must be read again once it is back. */
  get wasAway(): boolean {
    return this.#plan.wasAway;
  }

  story(id: string): StoryView | undefined {
    return this.#stories.get(id);
  }

  epic(id: string): EpicView | undefined {
    return this.#epics.get(id);
  }

  /** Returns the epic's file, with the fields that its view leaves out. */
  epicFile(id: string): Epic | undefined {
    return this.#plan.epics.epics.find((epic) => epic.id === id);
  }

  /** Applies the changes and returns what is different now. */
  async apply(changes: ProjectChanges): Promise<Omit<ChangeEvent, 'sessions'>> {
    await this.#plan.apply(changes);
    return this.#derive();
  }

  /** Whether branches of the repository moved since they were last read. */
  isGitStale(): boolean {
    return this.#plan.traces.isStale();
  }

  findGoneWorkers(): string[] {
    return this.#plan.findGoneWorkers();
  }

  /** Returns the stories whose silence began or ended; the caller must derive them again. */
  setStalls(stalls: ReadonlyMap<string, string>): string[] {
    const before = this.#stalls;
    this.#stalls = stalls;
    const ids = new Set([...before.keys(), ...stalls.keys()]);
    return [...ids].filter((id) => before.get(id) !== stalls.get(id));
  }

  saveIndex(): void {
    this.#plan.saveIndex();
  }

  #derive(): Omit<ChangeEvent, 'sessions'> {
    const plan = this.#plan;
    const tree = plan.isReshaped || !plan.isSound() ? undefined : this.#tree;
    const changed = tree ? this.#deriveSome(tree) : this.#deriveAll();
    plan.isReshaped = false;
    plan.touched.clear();
    const broken = [...this.#broken].sort();
    const own = broken.flatMap((id) => plan.stories.get(id)?.entry.problems ?? []);
    const problems = plan.listProblems(own);
    const isSame = sameValue(this.problems, problems);
    if (!isSame) this.problems = problems;
    return { ...changed, problems: !isSame };
  }

  #deriveAll(): Changed {
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    const stories = [...this.#plan.stories.values()]
      .sort((a, b) => byId(a.facts, b.facts))
      .map((story) => this.#complete(story));
    const epics = this.#plan.epics.epics.toSorted(byId);
    const { schedulers: running, traces } = this.#plan;
    const troubleOf = (id: string) => traces.findTrouble(id);
    this.#tree = new EpicTree({ stories, epics, running, troubleOf });
    this.#broken.clear();
    for (const { facts, entry } of stories) if (entry.problems) this.#broken.add(facts.id);
    const after = deriveOverview({ stories, epics, problems: [] }, this.#tree);
    const ofStories = takeChanged(this.#stories, after.stories);
    const ofEpics = takeChanged(this.#epics, after.epics);
    this.#stories = ofStories.views;
    this.#epics = ofEpics.views;
    this.#relist({ stories: ofStories.changed, epics: ofEpics.changed });
    return { stories: ofStories.changed, epics: ofEpics.changed };
  }

  /**
   * If the plan has the same shape: derives only the stories that were read again, and those that may
   * depend on their status.
   */
  #deriveSome(tree: EpicTree): Changed {
    const { touched, stories: known } = this.#plan;
    const asked = new Set(touched);
    for (const id of touched) {
      const story = known.get(id);
      if (story?.entry.problems) this.#broken.add(id);
      else this.#broken.delete(id);
      if (!story || !tree.setStory(this.#complete(story))) continue;
      for (const affected of tree.findAffected(id)) asked.add(affected);
    }
    const stories = replaceChanged(this.#stories, asked, (id) => {
      const story = known.get(id);
      return story && deriveStoryView(this.#complete(story), tree);
    });
    const epics = replaceChanged(this.#epics, asked, (id) => {
      const epic = this.epicFile(id);
      return epic && deriveEpicView(epic, tree);
    });
    this.#relist({ stories, epics });
    return { stories, epics };
  }

  /** Adds to a story what its files do not contain. */
  #complete(story: LiveStory): LiveStory {
    const stalledSince = story.running ? this.#stalls.get(story.facts.id) : undefined;
    const completed = this.#plan.traces.complete(story);
    return { ...completed, ...(stalledSince === undefined ? {} : { stalledSince }) };
  }

  #relist({ stories, epics }: Changed): void {
    if (stories.length > 0) this.stories = [...this.#stories.values()];
    if (epics.length > 0) this.epics = [...this.#epics.values()];
  }
}
