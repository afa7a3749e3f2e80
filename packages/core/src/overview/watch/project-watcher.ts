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
  type Report,
} from './project-changes.ts';
import type { FolderWatch, WatchFolder } from './watch-folder.ts';

/** The longest time until a new or removed folder is noticed. */
const TICK_MS = 1000;
/** git takes a moment to fill a new worktree. How often the watcher looks for its story, and how many times. */
const FILLING_MS = 50;
const MOST_FILLING_LOOKS = 200;
/** After this time a new folder is reported once more. */
const NEW_FOLDER_MS = 150;

/** A watched folder. The inode distinguishes it from a later folder of the same name. */
interface WatchedFolder {
  folder: string;
  inode: number;
  /** The story, if the folder is its copy in a worktree. */
  story?: string;
  watch?: FolderWatch;
}

/** Watches the folders of a project while they are created, removed and replaced. */
export class ProjectWatcher {
  readonly #paths: Paths;
  readonly #report: Report;
  readonly #watchFolder: WatchFolder;
  readonly #onFault: (error: unknown) => void;
  readonly #watched = new Map<string, WatchedFolder>();
  readonly #parents = new Map<string, FSWatcher>();
  #ensuring: Promise<void> | undefined;
  #isAskedAgain = false;
  #again = createChanges();
  #againTimer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #soon: NodeJS.Timeout | undefined;
  #tick: NodeJS.Timeout | undefined;
  #fillingLooks = 0;
  #hasWatched = false;

  constructor(
    paths: Paths,
    report: Report,
    watchFolder: WatchFolder,
    onFault: (error: unknown) => void,
  ) {
    this.#paths = paths;
    this.#report = report;
    this.#watchFolder = watchFolder;
    this.#onFault = onFault;
  }

  /** Resolves when all existing folders are watched. */
  async start(): Promise<void> {
    await this.#ensureWatched();
    if (!this.#isStopped) this.#tick = setInterval(() => void this.#ensureWatched(), TICK_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#tick);
    clearTimeout(this.#soon);
    clearTimeout(this.#againTimer);
    for (const parent of this.#parents.values()) parent.close();
    await this.#ensuring;
    const watches = [...this.#watched.values()].map((it) => it.watch?.stop());
    await Promise.all(watches.map((stopped) => stopped?.catch(this.#onFault)));
    this.#watched.clear();
  }

  /**
   * Starts and stops watches to match the existing folders. A call during the work makes it run once
   * more. Never rejects: `onFault` gets errors, and the next tick tries again.
   */
  #ensureWatched(): Promise<void> {
    this.#isAskedAgain = this.#ensuring !== undefined;
    this.#ensuring ??= this.#ensureUntilDone().finally(() => {
      this.#ensuring = undefined;
    });
    return this.#ensuring;
  }

  async #ensureUntilDone(): Promise<void> {
    do {
      this.#isAskedAgain = false;
      try {
        await this.#ensureOnce();
      } catch (error) {
        this.#onFault(error);
      }
    } while (this.#isAskedAgain && !this.#isStopped);
  }

  async #ensureOnce(): Promise<void> {
    this.#ensureParents();
    const wanted = this.#listFolders();
    for (const watched of this.#watched.values()) {
      if (wanted.get(watched.folder)?.inode === watched.inode) continue;
      this.#watched.delete(watched.folder);
      // A watch of a folder that is gone may fail to end. The folder is reported all the same.
      await watched.watch?.stop().catch(this.#onFault);
      this.#reportFolder(watched);
    }
    // A project that is gone may come back and go again between two ticks, and no watch would notice.
    if (wanted.size === 0 && this.#hasWatched) this.#tell({ ...createChanges(), all: true });
    const fresh = [...wanted.values()].filter((watched) => !this.#watched.has(watched.folder));
    await Promise.all(fresh.map((watched) => this.#enter(watched)));
  }

  async #enter(watched: WatchedFolder): Promise<void> {
    if (this.#isStopped) return;
    this.#watched.set(watched.folder, watched);
    this.#hasWatched = true;
    try {
      const onPaths = (changed: readonly string[] | undefined) => this.#onPaths(watched, changed);
      watched.watch = await this.#watchFolder(watched.folder, onPaths, [this.#paths.staging]);
    } catch {
      // The folder is gone again, or the system has no free watches: the next tick tries again.
      this.#watched.delete(watched.folder);
    }
    this.#reportFolder(watched);
  }

  /** Reports changes. A listener that throws must not stop the watcher. */
  #tell(changes: ProjectChanges): void {
    try {
      Promise.resolve(this.#report(changes)).catch(this.#onFault);
    } catch (error) {
      this.#onFault(error);
    }
  }

  #onPaths(watched: WatchedFolder, changed: readonly string[] | undefined): void {
    const changes = createChanges();
    if (changed === undefined) changes.all = true;
    else if (watched.story !== undefined) changes.stories.add(watched.story);
    else for (const path of changed) addChangedPath(changes, this.#paths, path);
    if (isEmpty(changes)) return;
    this.#tell(changes);
    if (changed?.includes(watched.folder)) this.#ensureSoon(0);
    if (changed?.some((path) => isFolderOfFiles(this.#paths, path))) this.#reportAgain(changes);
  }

  #reportAgain(changes: ProjectChanges): void {
    mergeChanges(this.#again, changes);
    this.#againTimer ??= setTimeout(() => {
      const again = this.#again;
      this.#again = createChanges();
      this.#againTimer = undefined;
      this.#tell(again);
    }, NEW_FOLDER_MS);
  }

  #reportFolder({ story }: WatchedFolder): void {
    const changes = createChanges();
    if (story === undefined) changes.all = true;
    else changes.stories.add(story);
    this.#tell(changes);
  }

  #listFolders(): Map<string, WatchedFolder> {
    const { stories, epics, runs, root } = this.#paths;
    const folders = new Map<string, WatchedFolder>();
    const add = (folder: string, story?: string) => {
      const inode = findInode(folder);
      if (inode === undefined) return false;
      folders.set(folder, { folder, inode, story });
      return true;
    };
    for (const folder of [stories, epics, runs]) add(folder);
    const worktrees = [...listStoryWorktrees(this.#paths).values()];
    const empty = worktrees.filter((it) => !add(storyFolderIn(it.folder, it.storyId), it.storyId));
    const isFilling = empty.length > 0 || isMakingWorktree(root);
    this.#fillingLooks = isFilling ? this.#fillingLooks + 1 : 0;
    if (isFilling && this.#fillingLooks < MOST_FILLING_LOOKS) this.#ensureSoon(FILLING_MS);
    return folders;
  }

  /**
   * Lists the folders in which watched folders appear. git's list of worktrees exists only while there
   * are worktrees.
   */
  #listParents(): string[] {
    const { saga, innerWorktrees, runs, root } = this.#paths;
    const registry = findRegistry(root);
    const git = registry === undefined ? [] : [dirname(registry), registry, dirname(runs)];
    return [...new Set([saga, innerWorktrees, ...git])];
  }

  /** Watches these parent folders, each without its subfolders. */
  #ensureParents(): void {
    for (const folder of this.#listParents()) {
      if (this.#parents.has(folder) || this.#isStopped) continue;
      try {
        const parent = watch(folder, (_, name) => this.#onParent(folder, name));
        this.#parents.set(folder, parent);
        parent.on('error', () => this.#closeParent(folder));
      } catch {
        // The folder does not exist yet, or cannot be watched: the tick finds new folders.
      }
    }
  }

  #onParent(folder: string, name: string | null): void {
    // git's own folder changes with every git command, so only two names in it count.
    const isGit = findRegistry(this.#paths.root) === join(folder, 'worktrees');
    if (isGit && name !== null && name !== 'worktrees' && name !== 'saga') return;
    const changes = createChanges();
    if (name !== null) addChangedPath(changes, this.#paths, join(folder, name));
    if (changes.config) this.#tell(changes);
    if (name === null || findInode(folder) === undefined) this.#closeParent(folder);
    if (name === 'worktrees') this.#closeParent(join(folder, name));
    this.#fillingLooks = 0;
    this.#ensureSoon(10);
  }

  #closeParent(folder: string): void {
    this.#parents.get(folder)?.close();
    this.#parents.delete(folder);
  }

  #ensureSoon(ms: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => void this.#ensureWatched(), ms);
  }
}

function findInode(folder: string): number | undefined {
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    return found?.isDirectory() ? found.ino : undefined;
  } catch {
    // A folder that may not be read cannot be watched either.
    return undefined;
  }
}
