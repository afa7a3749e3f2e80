import type { ChangeEvent } from '@saga-ai/types/screens/live';
import type { CheckIn } from '@saga-ai/types/screens/stall';
import type { Environment } from '../../processes/run.ts';
import { isThere } from '../../project/git-files.ts';
import type { Paths } from '../../project/paths.ts';
import { findSilence, loadCheckIn } from '../../records/find-silence.ts';
import {
  createChanges,
  isEmpty,
  mergeChanges,
  type ProjectChanges,
} from '../watch/project-changes.ts';
import { type ProjectWatch, watchProject } from '../watch/watch.ts';
import { ChangeStream } from './change-stream.ts';
import { LiveDrafts } from './live-drafts.ts';
import { LiveOverview } from './live-overview.ts';
import { LiveSessions } from './live-sessions.ts';
import { releaseMemory } from './release-memory.ts';
import { WorkSlices } from './work-slices.ts';

/** Changes within this time are published together. */
const TOGETHER_MS = 40;
/**
 * How often the project looks for what no watched file shows: killed and silent workers, moved branches, and a project
 * that is back.
 */
const PULSE_MS = 1000;

/**
 * A project in memory, kept up to date: its overview, its sessions, and the stream of changes. A
 * server or scheduler opens one, calls `follow`, listens to `changes` and closes it.
 */
export class LiveProject {
  readonly paths: Paths;
  readonly overview: LiveOverview;
  readonly sessions: LiveSessions;
  readonly changes: ChangeStream;
  readonly #onFault: (error: unknown) => void;
  readonly #drafts: LiveDrafts;
  #waiting = createChanges();
  #outputs = new Set<string>();
  #telling: Promise<void> | undefined;
  #toldAt = 0;
  #watch: Promise<ProjectWatch> | undefined;
  #pulse: NodeJS.Timeout | undefined;
  /** Undefined if the settings may have changed. */
  #checkIn: CheckIn | undefined;
  #isClosed = false;

  private constructor(paths: Paths, overview: LiveOverview, onFault: (error: unknown) => void) {
    this.paths = paths;
    this.#onFault = onFault;
    this.changes = new ChangeStream(Date.now(), onFault);
    this.overview = overview;
    this.#drafts = new LiveDrafts(paths);
    this.sessions = new LiveSessions(paths, (session) => {
      this.#outputs.add(session);
      void this.#tell();
    });
  }

  /**
   * Reads the project once. git is started with `env`. `onFault` gets errors that happen later, while changes are read.
   * The next change is read all the same.
   */
  static async open(
    paths: Paths,
    env: Environment,
    onFault: (error: unknown) => void,
  ): Promise<LiveProject> {
    return new LiveProject(paths, await LiveOverview.open(paths, env), onFault);
  }

  /** Publishes a story that changed in something that the overview does not contain. */
  tellStory(id: string): void {
    this.changes.publish({ stories: [id], epics: [], sessions: [], problems: false });
  }

  /** Publishes an epic that changed in something that the overview does not contain. */
  tellEpic(id: string): void {
    this.changes.publish({ stories: [], epics: [id], sessions: [], problems: false });
  }

  /** Reads stories, and all epics, that this process has just written, so that the next request finds them. */
  lookAt(stories: readonly string[]): Promise<void> {
    mergeChanges(this.#waiting, { ...createChanges(), stories: new Set(stories), epics: true });
    return this.#tell();
  }

  /** Starts watching for changes. Also finds what changed since the project was opened. */
  follow(options: { native?: boolean } = {}): Promise<ProjectWatch> {
    const report = (changes: ProjectChanges) => {
      mergeChanges(this.#waiting, changes);
      return this.#tell();
    };
    this.#pulse = setInterval(() => this.#checkWorkers(), PULSE_MS);
    this.#checkWorkers();
    this.#watch = watchProject(this.paths, report, { ...options, onFault: this.#onFault });
    this.#watch.catch(this.#onFault);
    this.#readSessions().catch(this.#onFault);
    return this.#watch;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#pulse);
    await (await this.#watch)?.stop();
    await this.#telling;
    this.sessions.close();
    this.overview.saveIndex();
  }

  /** Runs one round at a time; changes meanwhile are published by the next round. */
  #tell(): Promise<void> {
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = undefined;
    });
    return this.#telling;
  }

  async #tellAll(): Promise<void> {
    while (!this.#isClosed && (!isEmpty(this.#waiting) || this.#outputs.size > 0)) {
      const wait = this.#toldAt + TOGETHER_MS - performance.now();
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)));
      const changes = this.#waiting;
      const outputs = this.#outputs;
      this.#waiting = createChanges();
      this.#outputs = new Set();
      try {
        const event = await this.#apply(changes, outputs);
        if (isNews(event)) this.changes.publish(event);
      } catch (error) {
        this.#onFault(error);
      }
      this.#toldAt = performance.now();
    }
  }

  async #apply(changes: ProjectChanges, outputs: ReadonlySet<string>): Promise<ChangeEvent> {
    const isFirst = !this.overview.isVerified;
    if (isFirst) releaseMemory();
    if (changes.config || changes.all) this.#checkIn = undefined;
    const { stories, epics, problems } = await this.overview.apply(changes);
    const broken = this.sessions.problems().length;
    const sessions = new Set(outputs);
    if (changes.all || changes.sessions.size > 0) {
      const moved = this.sessions.relist();
      const asked = changes.all ? undefined : new Set([...changes.sessions, ...moved]);
      for (const name of [...moved, ...this.sessions.refresh(asked)]) sessions.add(name);
      // The record of a killed worker does not change, so `refresh` does not return its session.
      for (const name of changes.sessions) sessions.add(name);
    }
    if (changes.all) this.overview.saveIndex();
    if (isFirst) releaseMemory();
    const hasDrafts = (changes.drafts || changes.all) && this.#drafts.hasChanged();
    const isSameCount = broken === this.sessions.problems().length;
    return {
      ...{ stories, epics, sessions: [...sessions], problems: problems || !isSameCount },
      drafts: hasDrafts ? true : undefined,
    };
  }

  /** Reads all records once, to follow the running sessions and to know the broken records. */
  async #readSessions(): Promise<void> {
    const slices = new WorkSlices();
    for (const name of this.sessions.list()) {
      if (this.#isClosed) return;
      this.sessions.find(name);
      await slices.next();
    }
    if (this.sessions.problems().length === 0) return;
    this.changes.publish({ stories: [], epics: [], sessions: [], problems: true });
  }

  #checkWorkers(): void {
    try {
      // If the project came back at once, its folders are still watched, so the watcher reports no change.
      if (this.overview.wasAway && isThere(this.paths.saga)) this.#waiting.all = true;
      if (this.overview.isGitStale()) this.#waiting.git = true;
      for (const id of this.overview.findGoneWorkers()) this.#waiting.workers.add(id);
      for (const name of this.sessions.findDied()) this.#waiting.sessions.add(name);
      for (const name of this.sessions.findGrown()) this.#outputs.add(name);
      for (const id of this.overview.setStalls(this.#findStalls())) this.#waiting.workers.add(id);
    } catch (error) {
      this.#onFault(error);
    }
    if (!isEmpty(this.#waiting) || this.#outputs.size > 0) void this.#tell();
  }

  /** Finds silent workers: silence changes no file. */
  #findStalls(): Map<string, string> {
    const stalls = new Map<string, string>();
    for (const { id, session } of this.overview.stories) {
      const output = session && this.sessions.find(session.session);
      if (!output) continue;
      this.#checkIn ??= loadCheckIn(this.paths);
      const since = findSilence(output, this.#checkIn, Date.now());
      if (since !== undefined) stalls.set(id, since);
    }
    return stalls;
  }
}

const isNews = ({ stories, epics, sessions, problems, drafts }: ChangeEvent) =>
  stories.length + epics.length + sessions.length > 0 || problems || drafts === true;
