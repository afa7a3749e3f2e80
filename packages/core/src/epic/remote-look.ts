import { fetchBranch } from '../git/find-base.ts';
import type { EpicRun } from './context.ts';

/** How often the remote is asked, because a merge on the remote changes no file here. */
const EVERY_MS = 10_000;

/** Notices merges that people make on the remote, for epics whose stories people merge themselves. */
export class RemoteLook {
  readonly #run: EpicRun;
  readonly #onMoved: () => void;
  #lookedAt = 0;

  constructor(run: EpicRun, onMoved: () => void) {
    this.#run = run;
    this.#onMoved = onMoved;
  }

  /** Fetches the base, and says so if it has moved. A remote that cannot be reached is asked again later. */
  async look(): Promise<void> {
    const { git, worker, base } = this.#run;
    const { remote, branch, pinned } = base;
    if (remote === undefined || branch === undefined) return;
    if (Date.now() - this.#lookedAt < EVERY_MS) return;
    this.#lookedAt = Date.now();
    const ref = `refs/remotes/${remote}/${branch}`;
    const before = await git.resolve(ref);
    const { emit } = worker;
    await fetchBranch(git, remote, branch, { emit, pinned });
    if ((await git.resolve(ref)) !== before) this.#onMoved();
  }
}
