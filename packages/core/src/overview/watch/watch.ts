import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Paths, storyFolderIn } from '../../project/paths.ts';
import {
  findRegistry,
  isMakingWorktree,
  listStoryWorktrees,
} from '../../project/story-worktrees.ts';
import {
  addChangedPath,
  createChanges,
  isEmpty,
  isFolderOfFiles,
  mergeChanges,
  type ProjectChanges,
} from './project-changes.ts';
import { type FolderWatch, loadWatchFolder, type WatchFolder } from './watch-folder.ts';

/**
 * Tells what changes in a project: the plan in the main checkout, sessions and locks, and of each
 * worktree the folder of its story and nothing else, for a worktree may be as large as it likes.
 * Folders that come, go or are replaced are followed.
 */
export interface ProjectWatch {
  /** False where folders are looked at again and again instead. */
  isNative: boolean;
  stop(): Promise<void>;
}

/** Whoever looks at things again says when that is done. */
export type Report = (changes: ProjectChanges) => void | Promise<void>;

/** Folders that are there and not yet watched, or watched and gone, are noticed this late at worst. */
const TICK_MS = 1000;
/** A new worktree is filled by git; its story is waited for this closely, and so long. */
const FILLING_MS = 50;
const FILLING_ROUNDS = 200;
/** After this a new folder is looked at once more. */
const NEW_FOLDER_MS = 150;

export async function watchProject(
  paths: Paths,
  report: Report,
  options: { native?: boolean } = {},
): Promise<ProjectWatch> {
  const watchFolder = options.native === false ? undefined : await loadWatchFolder();
  if (!watchFolder) return pollProject(report);
  const watcher = new Watcher(paths, report, watchFolder);
  await watcher.ensurePlaces();
  watcher.start();
  return { isNative: true, stop: () => watcher.stop() };
}

/** At the most a tenth of the time is spent on looking. */
function pollProject(report: Report): ProjectWatch {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async () => {
    const start = performance.now();
    await report({ ...createChanges(), all: true });
    const wait = Math.max(TICK_MS, 9 * (performance.now() - start));
    if (!isStopped) timer = setTimeout(look, wait);
  };
  const first = look();
  const stop = async () => {
    isStopped = true;
    await first;
    clearTimeout(timer);
  };
  return { isNative: false, stop };
}

/** A watched folder. The number tells it from a later one of the same name. */
interface Place {
  folder: string;
  inode: number;
  /** Of a worktree. */
  story?: string;
  watch?: FolderWatch;
}

class Watcher {
  readonly #paths: Paths;
  readonly #report: Report;
  readonly #watchFolder: WatchFolder;
  readonly #places = new Map<string, Place>();
  readonly #doors = new Map<string, FSWatcher>();
  #ensuring: Promise<void> | undefined;
  #isAskedAgain = false;
  #again = createChanges();
  #againTimer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #soon: NodeJS.Timeout | undefined;
  #tick: NodeJS.Timeout | undefined;
  #filling = 0;

  constructor(paths: Paths, report: Report, watchFolder: WatchFolder) {
    this.#paths = paths;
    this.#report = report;
    this.#watchFolder = watchFolder;
  }

  start(): void {
    this.#tick = setInterval(() => void this.ensurePlaces(), TICK_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#tick);
    clearTimeout(this.#soon);
    clearTimeout(this.#againTimer);
    for (const door of this.#doors.values()) door.close();
    await this.#ensuring;
    await Promise.all([...this.#places.values()].map((place) => place.watch?.stop()));
    this.#places.clear();
  }

  /** Brings what is watched in line with what is there; asked while at it, it looks once more. */
  async ensurePlaces(): Promise<void> {
    if (this.#ensuring) {
      this.#isAskedAgain = true;
      return this.#ensuring;
    }
    this.#ensuring = this.#ensureOnce();
    await this.#ensuring;
    this.#ensuring = undefined;
    if (this.#isAskedAgain && !this.#isStopped) {
      this.#isAskedAgain = false;
      await this.ensurePlaces();
    }
  }

  async #ensureOnce(): Promise<void> {
    this.#ensureDoors();
    const wanted = this.#listPlaces();
    for (const place of this.#places.values()) {
      if (wanted.get(place.folder)?.inode === place.inode) continue;
      this.#places.delete(place.folder);
      await place.watch?.stop();
      this.#reportPlace(place);
    }
    const fresh = [...wanted.values()].filter((place) => !this.#places.has(place.folder));
    await Promise.all(fresh.map((place) => this.#enter(place)));
  }

  async #enter(place: Place): Promise<void> {
    if (this.#isStopped) return;
    this.#places.set(place.folder, place);
    try {
      const onPaths = (changed: readonly string[] | undefined) => this.#onPaths(place, changed);
      place.watch = await this.#watchFolder(place.folder, onPaths, [this.#paths.staging]);
    } catch {
      // Gone again, or the system lets us watch no more folders: the next tick looks at it.
      this.#places.delete(place.folder);
    }
    this.#reportPlace(place);
  }

  #onPaths(place: Place, changed: readonly string[] | undefined): void {
    const changes = createChanges();
    if (changed === undefined) changes.all = true;
    else if (place.story !== undefined) changes.stories.add(place.story);
    else for (const path of changed) addChangedPath(changes, this.#paths, path);
    if (isEmpty(changes)) return;
    this.#report(changes);
    if (changed?.includes(place.folder)) this.#ensureSoon(0);
    if (changed?.some((path) => isFolderOfFiles(this.#paths, path))) this.#reportAgain(changes);
  }

  #reportAgain(changes: ProjectChanges): void {
    mergeChanges(this.#again, changes);
    this.#againTimer ??= setTimeout(() => {
      const again = this.#again;
      this.#again = createChanges();
      this.#againTimer = undefined;
      this.#report(again);
    }, NEW_FOLDER_MS);
  }

  #reportPlace({ story }: Place): void {
    const changes = createChanges();
    if (story === undefined) changes.all = true;
    else changes.stories.add(story);
    this.#report(changes);
  }

  #listPlaces(): Map<string, Place> {
    const { stories, epics, runs, root } = this.#paths;
    const places = new Map<string, Place>();
    const add = (folder: string, story?: string) => {
      const inode = findInode(folder);
      if (inode === undefined) return false;
      places.set(folder, { folder, inode, ...(story === undefined ? {} : { story }) });
      return true;
    };
    for (const folder of [stories, epics, runs]) add(folder);
    const worktrees = [...listStoryWorktrees(this.#paths).values()];
    const empty = worktrees.filter((it) => !add(storyFolderIn(it.folder, it.storyId), it.storyId));
    const isFilling = empty.length > 0 || isMakingWorktree(root);
    this.#filling = isFilling ? this.#filling + 1 : 0;
    if (isFilling && this.#filling < FILLING_ROUNDS) this.#ensureSoon(FILLING_MS);
    return places;
  }

  /** git notes its worktrees in a folder that comes with the first one and goes with the last. */
  #listDoors(): string[] {
    const { saga, innerWorktrees, root } = this.#paths;
    const registry = findRegistry(root);
    return [saga, innerWorktrees, ...(registry === undefined ? [] : [dirname(registry), registry])];
  }

  /** Folders in which places come and go; each is watched alone, without what is below it. */
  #ensureDoors(): void {
    for (const folder of this.#listDoors()) {
      if (this.#doors.has(folder) || this.#isStopped) continue;
      try {
        const door = watch(folder, (_, name) => this.#onDoor(folder, name));
        this.#doors.set(folder, door);
        door.on('error', () => this.#closeDoor(folder));
      } catch {
        // Not there yet, or not watchable: the tick finds what comes.
      }
    }
  }

  #onDoor(folder: string, name: string | null): void {
    const registry = findRegistry(this.#paths.root);
    // git's own folder changes with everything that git does.
    if (registry === join(folder, 'worktrees') && name !== 'worktrees' && name !== null) return;
    const changes = createChanges();
    if (name !== null) addChangedPath(changes, this.#paths, join(folder, name));
    if (changes.config) this.#report(changes);
    if (name === null || findInode(folder) === undefined) this.#closeDoor(folder);
    if (name === 'worktrees') this.#closeDoor(join(folder, name));
    this.#filling = 0;
    this.#ensureSoon(10);
  }

  #closeDoor(folder: string): void {
    this.#doors.get(folder)?.close();
    this.#doors.delete(folder);
  }

  #ensureSoon(ms: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => void this.ensurePlaces(), ms);
  }
}

function findInode(folder: string): number | undefined {
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    return found?.isDirectory() ? found.ino : undefined;
  } catch {
    // What we may not look at cannot be watched either.
    return undefined;
  }
}
