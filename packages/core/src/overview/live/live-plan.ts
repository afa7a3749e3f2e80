import type { LocatedStory } from '@saga-ai/types/screens/story-facts';
import { parseSession } from '@saga-ai/types/words/names';
import type { Problem } from '@saga-ai/types/words/problem';
import { checkConfigFile } from '../../authoring/check.ts';
import type { Environment } from '../../processes/run.ts';
import { isThere } from '../../project/git-files.ts';
import type { Paths } from '../../project/paths.ts';
import { TraceFinder } from '../facts/trace-finder.ts';
import { type EpicsEntry, isCurrent, type StoryEntry } from '../overview-index.ts';
import {
  findReferences,
  isSameArchive,
  type References,
  RememberedPlan,
  saveRemembered,
} from '../remembered-plan.ts';
import {
  Copies,
  findHome,
  type Home,
  isRunning,
  listHomes,
  listRunning,
  loadLiveSession,
  scanEpicsEntry,
  scanStoryEntry,
} from '../scan-project.ts';
import type { ProjectChanges } from '../watch/project-changes.ts';
import { WorkSlices } from './work-slices.ts';

export interface LiveStory extends LocatedStory {
  entry: StoryEntry;
}

/** With more stories than this, a start uses the index and compares it with the files later. */
const COMPARED_AT_START = 2000;

/**
 * What the scanner knows of every story and epic, in memory. It starts with the index on disk; from
 * then on only what changed is read again.
 */
export class LivePlan {
  readonly stories = new Map<string, LiveStory>();
  /** The stories that were read again. The reader empties the set. */
  readonly touched = new Set<string>();
  /** The epics with a living scheduler. */
  readonly schedulers = new Set<string>();
  /** True if the set of stories or their relations changed. */
  isReshaped = true;
  /** False while some stories come from the index and were not yet compared with their files. */
  isVerified = false;
  /** True if the project was away while it was read. Then stories may be missing here that exist again on disk. */
  wasAway = false;
  /** What git and the records of sessions know of the stories. */
  readonly traces: TraceFinder;
  readonly #paths: Paths;
  readonly #copies: Copies;
  #epics: EpicsEntry = { epics: [], names: [], stamp: 0 };
  #folderProblems: Problem[] = [];
  #configProblems: Problem[] = [];
  /** Computed on first use. */
  #references: References | undefined;
  /** True if the index on disk lacks something that was read since. */
  #isIndexStale = false;

  constructor(paths: Paths, env: Environment) {
    this.#paths = paths;
    this.#copies = new Copies(paths);
    this.traces = new TraceFinder(paths, env, { digestPlan: (id) => this.#copies.digestMain(id) });
  }

  get epics(): EpicsEntry {
    return this.#epics;
  }

  async recall(): Promise<void> {
    const refreshed = this.traces.refresh();
    // Awaited below. A failure before that must not end the process.
    refreshed.catch(() => {});
    const remembered = new RememberedPlan(this.#paths);
    const running = listRunning(this.#paths);
    const problems: Problem[] = [];
    const homes = listHomes(this.#paths, problems);
    this.isVerified = homes.length <= COMPARED_AT_START;
    for (const home of homes) {
      const known = remembered.story(home, { isTrusted: !this.isVerified });
      await this.#put(home, known ?? (await scanStoryEntry(this.#paths, home)));
    }
    this.#folderProblems = problems;
    const epics = remembered.epics();
    if (epics) this.#takeEpics(epics);
    else await this.#readEpics();
    for (const id of running) await this.#readWorker(id);
    this.#configProblems = checkConfigFile(this.#paths);
    this.#isIndexStale = !remembered.isWhole();
    this.#references = remembered.references();
    await refreshed;
    await this.traces.compare(this.stories.values());
    this.traces.save();
  }

  /** Reads again what may have changed. */
  async apply(changes: ProjectChanges): Promise<void> {
    const wasThere = isThere(this.#paths.saga);
    await this.#readAgain(changes);
    if (!wasThere || !isThere(this.#paths.saga)) this.wasAway = true;
    else if (changes.all) this.wasAway = false;
  }

  async #readAgain(changes: ProjectChanges): Promise<void> {
    if (changes.all) await this.#verify();
    else await this.#readSome(changes);
    if (changes.git || changes.all || changes.config) await this.#readGit();
    const touched = [...this.touched].flatMap((id) => this.stories.get(id) ?? []);
    await this.traces.compare(touched);
    this.traces.save();
  }

  async #readSome(changes: ProjectChanges): Promise<void> {
    if (changes.sessions.size + changes.workers.size > 0) {
      this.#touchTroubled(this.traces.relistSessions(changes.sessions));
    }
    const slices = new WorkSlices();
    for (const id of changes.stories) {
      await this.#readStory(findHome(this.#paths, id), id);
      await slices.next();
    }
    if (changes.epics) await this.#readEpics();
    if (changes.config) this.#configProblems = checkConfigFile(this.#paths);
    const ofSessions = [...changes.sessions].flatMap((it) => parseSession(it)?.storyId ?? []);
    for (const id of new Set([...changes.workers, ...ofSessions])) await this.#readWorker(id);
  }

  /**
   * True if there are no problems between stories and epics: then stories depend on each other only
   * inside one epic.
   */
  isSound(): boolean {
    return this.#findReferences().problems.length === 0;
  }

  /** Lists all problems, given those of the stories themselves. */
  listProblems(inStories: readonly Problem[]): Problem[] {
    return [
      ...this.#folderProblems,
      ...inStories,
      ...(this.#epics.problems ?? []),
      ...this.#findReferences().problems,
      ...this.#configProblems,
    ];
  }

  /** Finds stories whose worker was killed, by their locks: a killed worker changes no file. */
  findGoneWorkers(): string[] {
    return this.#listRunning().filter((id) => !isRunning(this.#paths, id));
  }

  /** Saves the index for the next start. */
  saveIndex(): void {
    if (!this.#isIndexStale) return;
    this.#isIndexStale = false;
    saveRemembered(this.#paths, this.stories.values(), this.#epics, this.#references);
  }

  /** Compares everything with the files, in short slices, so that requests are answered in between. */
  async #verify(): Promise<void> {
    const slices = new WorkSlices();
    const problems: Problem[] = [];
    const homes = listHomes(this.#paths, problems);
    await slices.next();
    const known = new Set(homes.map((it) => it.id));
    for (const id of this.stories.keys()) if (!known.has(id)) this.#drop(id);
    for (const place of homes) {
      const story = this.stories.get(place.id);
      // The other copy of the story's plan may have changed too.
      const isSame =
        !place.isInWorktree && story?.home === place.key && isCurrent(story.entry, place.home);
      if (!isSame) await this.#readStory(place, place.id);
      await slices.next();
    }
    this.#folderProblems = problems;
    if (!isCurrent(this.#epics, this.#paths.epics)) await this.#readEpics();
    this.#configProblems = checkConfigFile(this.#paths);
    this.#touchTroubled(this.traces.relistSessions());
    const running = new Set([...listRunning(this.#paths), ...this.#listRunning()]);
    for (const id of running) await this.#readWorker(id);
    if (this.#references && !isSameArchive(this.#paths, this.#references)) {
      this.#references = undefined;
    }
    this.isVerified = true;
  }

  async #readGit(): Promise<void> {
    const before = this.traces.baseCommit;
    const different = await this.traces.refresh();
    if (before !== this.traces.baseCommit) this.#touchWorktrees();
    for (const id of different === 'all' ? this.stories.keys() : different) this.touched.add(id);
  }

  async #readStory(place: Home | undefined, id: string): Promise<void> {
    if (place) await this.#put(place, await scanStoryEntry(this.#paths, place));
    else this.#drop(id);
    this.#isIndexStale = true;
  }

  async #put(place: Home, entry: StoryEntry): Promise<void> {
    const { id, key } = place;
    const worktree = place.isInWorktree ? await this.#copies.describe(place) : {};
    const before = this.stories.get(id);
    const { facts } = entry;
    const story: LiveStory = { facts, home: key, entry, running: false, ...worktree };
    if (before?.running) story.running = true;
    if (before?.session) story.session = before.session;
    this.stories.set(id, story);
    this.touched.add(id);
    if (!before || before.facts.epic !== entry.facts.epic) this.#reshape();
    else if (before.home !== key) this.#references = undefined;
  }

  #drop(id: string): void {
    if (this.stories.delete(id)) this.#reshape();
  }

  async #readEpics(): Promise<void> {
    this.#takeEpics(await scanEpicsEntry(this.#paths));
    this.#isIndexStale = true;
    this.#reshape();
  }

  #takeEpics(epics: EpicsEntry): void {
    this.#epics = epics;
    this.traces.setEpics(epics.epics);
    this.#touchWorktrees();
  }

  /** How far a branch is behind depends on its base, and that on the epics around the story. */
  #touchWorktrees(): void {
    for (const { facts, worktree } of this.stories.values()) {
      if (worktree) this.touched.add(facts.id);
    }
  }

  async #readWorker(id: string): Promise<void> {
    const running = isRunning(this.#paths, id);
    const story = this.stories.get(id);
    if (!story) {
      this.#noteScheduler(id, running);
      return;
    }
    const { session: _, ...rest } = story;
    const session = running ? await loadLiveSession(this.#paths, id) : undefined;
    this.stories.set(id, { ...rest, running, session });
    this.touched.add(id);
  }

  #noteScheduler(id: string, isAtWork: boolean): void {
    if (isAtWork === this.schedulers.has(id)) return;
    if (isAtWork) this.schedulers.add(id);
    else this.schedulers.delete(id);
    this.isReshaped = true;
  }

  /** Reads again what schedulers say of these items. */
  #touchTroubled(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.stories.has(id)) this.touched.add(id);
      else this.isReshaped = true;
    }
  }

  /** Lists the stories and epics that are running, by what is in memory. */
  #listRunning(): string[] {
    const ids = [...this.schedulers];
    for (const { running, facts } of this.stories.values()) if (running) ids.push(facts.id);
    return ids;
  }

  #reshape(): void {
    this.isReshaped = true;
    this.#references = undefined;
  }

  #findReferences(): References {
    this.#references ??= findReferences(this.#paths, this.stories.values(), this.#epics.epics);
    return this.#references;
  }
}
