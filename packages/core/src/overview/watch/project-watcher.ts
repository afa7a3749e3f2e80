import { type FSWatcher, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { isId } from '@saga-ai/types/plan/ids';
import { listFolder } from '../../files/list-folder.ts';
import { type Paths, worktreeStoryFolder } from '../../project/paths.ts';
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

/** A folder that is not yet watched, or watched and gone, is noticed this late at worst. */
const TICK_MS = 1000;
/** A new worktree is filled by git. How often its story is looked for, and how many times. */
const FILLING_MS = 50;
const MOST_FILLING_LOOKS = 200;
/** After this a new folder is looked at once more. */
const NEW_FOLDER_MS = 150;

/** The inode tells a folder from a later one of the same name. */
interface WatchedFolder {
  folder: string;
  inode: number;
  /** The story whose copy in a worktree it is. */
  story?: string;
  watch?: FolderWatch;
}

/** Keeps the folders of a project watched while they come, go and are replaced. */
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

  /** Returns when all folders that are there are watched. */
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
   * Brings what is watched in line with what is there; asked while at it, it looks once more. It never
   * rejects: what went wrong is handed over, and the next tick tries again.
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
      await watched.watch?.stop();
      this.#reportFolder(watched);
    }
    const fresh = [...wanted.values()].filter((watched) => !this.#watched.has(watched.folder));
    await Promise.all(fresh.map((watched) => this.#enter(watched)));
  }

  async #enter(watched: WatchedFolder): Promise<void> {
    if (this.#isStopped) return;
    this.#watched.set(watched.folder, watched);
    try {
      const onPaths = (changed: readonly string[] | undefined) => this.#onPaths(watched, changed);
      watched.watch = await this.#watchFolder(watched.folder, onPaths, [this.#paths.staging]);
    } catch {
      // Gone again, or the system lets us watch no more folders: the next tick looks at it.
      this.#watched.delete(watched.folder);
    }
    this.#reportFolder(watched);
  }

  /** A listener that throws must not stop those who follow folders. */
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
    const { stories, epics, runs, worktrees, root } = this.#paths;
    const folders = new Map<string, WatchedFolder>();
    const add = (folder: string, story?: string) => {
      const inode = findInode(folder);
      if (inode === undefined) return false;
      folders.set(folder, { folder, inode, ...(story === undefined ? {} : { story }) });
      return true;
    };
    for (const folder of [stories, epics, runs]) add(folder);
    const ids = listFolder(root, worktrees).filter(isId);
    const isFilling = ids.filter((id) => !add(worktreeStoryFolder(this.#paths, id), id)).length > 0;
    this.#fillingLooks = isFilling ? this.#fillingLooks + 1 : 0;
    if (isFilling && this.#fillingLooks < MOST_FILLING_LOOKS) this.#ensureSoon(FILLING_MS);
    return folders;
  }

  /** Folders in which the watched ones come and go. Each is watched alone, without what is below it. */
  #ensureParents(): void {
    for (const folder of [this.#paths.saga, this.#paths.worktrees]) {
      if (this.#parents.has(folder) || this.#isStopped) continue;
      try {
        const parent = watch(folder, (_, name) => this.#onParent(folder, name));
        this.#parents.set(folder, parent);
        parent.on('error', () => this.#closeParent(folder));
      } catch {
        // Not there yet, or not watchable: the tick finds what comes.
      }
    }
  }

  #onParent(folder: string, name: string | null): void {
    const changes = createChanges();
    if (name !== null) addChangedPath(changes, this.#paths, join(folder, name));
    if (changes.config) this.#tell(changes);
    if (name === null || findInode(folder) === undefined) this.#closeParent(folder);
    if (name === 'worktrees' && folder === this.#paths.saga) {
      this.#closeParent(this.#paths.worktrees);
    }
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
    // What we may not look at cannot be watched either.
    return undefined;
  }
}
