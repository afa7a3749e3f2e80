import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '@saga-ai/types/plan/ids';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import { ensureFolder } from '../../files/ensure-folder.ts';
import { listFolder } from '../../files/list-folder.ts';
import { readIfReadable } from '../../files/read-text.ts';
import type { Git } from '../../git/git.ts';
import { withRepositoryLock } from '../../git/repository-lock.ts';
import { acquireLock } from '../../processes/lock.ts';
import type { Environment } from '../../processes/run.ts';
import { heldFolder, mirrorLock, type Paths } from '../../project/paths.ts';
import { loadSessionRecords, saveSessionRecord } from '../../records/session-records.ts';
import { alignStory } from '../align-story.ts';
import type { Engine, JobState, RepositoryName } from '../engine.ts';
import { listDifferent } from '../list-different.ts';
import { LineCounter } from './line-counter.ts';
import { ensureMirrorFolder, loadMirrorState, saveMirrorState } from './mirror-state.ts';
import { movesBranches } from './moves-branches.ts';
import { writeNews } from './write-news.ts';

export interface MirrorPlace {
  engine: Engine;
  repository: RepositoryName;
  paths: Paths;
  git: Git;
  env: Environment;
  /** The remote whose branches say how stories stand. */
  remote: string;
  /**
   * The name of this machine in the fleet, if it has one. News of its own sessions are skipped, because they are here
   * already.
   */
  machine?: string;
}

/** Stands for the machine that has a story, while none has it yet. */
const QUEUE = 'the queue';
const MOST_NEWS = 200;
/** How often branches are fetched without news of a push, because people push too. */
const FETCH_EVERY_MS = 5000;
const FETCH_MS = 20_000;
/**
 * How long to wait for another process of this machine that holds the lock of the mirror. That process writes the same
 * news.
 */
const LOCK_MS = 5000;
/** Like `LOCK_MS`, for callers that need the newest state. A pull that fetches may take nearly as long. */
const FRESH_MS = 120_000;

/**
 * Brings what other machines of the fleet report into this project: their sessions as records and output files, and the
 * branches that they pushed. The state of a story comes only from its branch.
 */
export class Mirror {
  readonly #place: MirrorPlace;
  readonly #counter = new LineCounter();
  #jobs: readonly JobState[] = [];

  constructor(place: MirrorPlace) {
    this.#place = place;
  }

  /** The jobs that the engine listed at the last pull. */
  get jobs(): readonly JobState[] {
    return this.#jobs;
  }

  /**
   * Writes down what is new. Throws if the engine cannot be reached. If another process does the same and takes long,
   * this call leaves the work to it, unless the caller needs the newest state.
   */
  async pull({ needsNow = false }: { needsNow?: boolean } = {}): Promise<void> {
    const { paths, engine, repository } = this.#place;
    await this.#alone(
      async () => {
        // The jobs are read before the news, so that the news contain the end of every session whose job is over.
        const jobs = await engine.jobs.list(repository.key);
        const hasMoved = await this.#readNews();
        this.#jobs = jobs;
        this.#noteHeld();
        this.#noteLost();
        const age = Date.now() - loadMirrorState(paths).fetchedAt;
        if (hasMoved || age < 0 || age >= FETCH_EVERY_MS) await this.fetch();
      },
      needsNow ? FRESH_MS : LOCK_MS,
    );
  }

  /**
   * Writes down only who works on what. Without this, a clone keeps the notes of its last pull, and a story would
   * wait for work that has ended.
   */
  async refreshHolders(): Promise<void> {
    const { engine, repository } = this.#place;
    await this.#alone(async () => {
      this.#jobs = await engine.jobs.list(repository.key);
      this.#noteHeld();
    }, FRESH_MS);
  }

  /** Does nothing if another process holds the lock for longer than `waitMs`. */
  async #alone(work: () => Promise<void>, waitMs: number): Promise<void> {
    const { paths } = this.#place;
    ensureMirrorFolder(paths);
    const lock = await acquireLock(mirrorLock(paths), waitMs).catch(() => undefined);
    if (!lock) return;
    try {
      await work();
    } finally {
      lock.release();
    }
  }

  /** Pulls whenever there are news, and also every `beatMs` without news, until the result is disposed of. */
  async follow(beatMs: number): Promise<AsyncDisposable> {
    const { engine, repository } = this.#place;
    let isOver = false;
    let pulling: Promise<void> | undefined;
    let isAsked = false;
    const wake = () => {
      isAsked = true;
      if (isOver || pulling !== undefined) return;
      pulling = (async () => {
        while (isAsked && !isOver) {
          isAsked = false;
          // An engine that is away is asked again with the next beat.
          await this.pull().catch(() => {});
        }
        pulling = undefined;
      })();
    };
    const listening = await engine.news.listen(repository.key, wake);
    const timer = setInterval(wake, beatMs);
    return {
      [Symbol.asyncDispose]: async () => {
        isOver = true;
        clearInterval(timer);
        await listening[Symbol.asyncDispose]();
        await pulling;
      },
    };
  }

  /** Fetches all branches of stories and epics, and takes local copies forward. A remote that is away changes nothing. */
  async fetch(): Promise<void> {
    const { git, remote, paths, env } = this.#place;
    const specs = ['story', 'epic'].map(
      (it) => `+refs/heads/${it}/*:refs/remotes/${remote}/${it}/*`,
    );
    const args = ['fetch', '-q', '--no-tags', '--no-recurse-submodules', remote, ...specs];
    const plain = ['-c', 'core.hooksPath=/dev/null', ...args];
    const fetched = await withRepositoryLock(git, () =>
      git.attempt(plain, { network: 'asking', timeoutMs: FETCH_MS }),
    );
    if (fetched.code !== 0) return;
    saveMirrorState(paths, { ...loadMirrorState(paths), fetchedAt: Date.now() });
    const mayPutAway = this.#place.machine !== undefined;
    const different = await listDifferent(git, remote, 'story');
    const known = different.length === 0 ? new Set() : this.#listKnown();
    for (const { id } of different) {
      const isOpen = this.#jobs.some((it) => it.id === id && it.state !== 'ended');
      if (isOpen || !known.has(id)) continue;
      await alignStory({ paths, git, env, remote }, id, { mayPutAway }).catch(() => 'differs');
    }
  }

  /** The stories that the fleet worked on. The engine forgets jobs; the records of sessions stay here. */
  #listKnown(): Set<string> {
    const { records } = loadSessionRecords(this.#place.paths);
    return new Set([
      ...this.#jobs.map(({ id }) => id),
      ...records.flatMap(({ machine, story }) => (machine === undefined ? [] : [story])),
    ]);
  }

  /** Returns whether branches moved. */
  async #readNews(): Promise<boolean> {
    const { paths, engine, repository, machine } = this.#place;
    let state = loadMirrorState(paths);
    let hasMoved = false;
    for (;;) {
      const news = await engine.news.read(repository.key, state.position, MOST_NEWS);
      for (const it of news) {
        hasMoved ||= it.lines.some(movesBranches);
        state =
          it.machine === machine
            ? { ...state, position: it.position }
            : writeNews(paths, it, state, this.#counter);
      }
      if (news.length > 0) saveMirrorState(paths, state);
      if (news.length < MOST_NEWS) return hasMoved;
    }
  }

  #listActive(): JobState[] {
    return this.#jobs.filter((it) => it.state === 'active' && it.machine !== this.#place.machine);
  }

  /** Notes which stories and epics other machines work on, or will. */
  #noteHeld(): void {
    const { paths } = this.#place;
    const folder = heldFolder(paths);
    ensureFolder(folder);
    const queued = this.#jobs.filter((it) => it.state === 'queued');
    const holders = new Map([
      ...queued.map(({ id }): [string, string] => [id, QUEUE]),
      ...this.#listActive().map(({ id, machine = QUEUE }): [string, string] => [id, machine]),
    ]);
    for (const [id, holder] of holders) {
      const file = join(folder, id);
      if (isId(id) && readHolder(file) !== holder) writeFileAtomic(file, `${holder}\n`);
    }
    for (const id of listFolder(paths.root, folder)) {
      if (!holders.has(id)) rmSync(join(folder, id), { force: true });
    }
  }

  /** Notes which sessions have neither ended nor have a lease. */
  #noteLost(): void {
    const { paths } = this.#place;
    const active = this.#listActive();
    for (const record of loadSessionRecords(paths).records) {
      const { machine, endedAt, isLost, story } = record;
      if (machine === undefined || endedAt !== undefined || isLost) continue;
      const isHeld = active.some((it) => it.id === story && it.machine === machine);
      if (!isHeld) saveSessionRecord(paths, { ...record, isLost: true });
    }
  }
}

/** Returns undefined if nobody had it. */
const readHolder = (file: string) => readIfReadable(file)?.trimEnd();
