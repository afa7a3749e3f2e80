import { formatStoryBranch } from '@saga-ai/types/words/names';
import { findConflicts } from '../git/merge-trees.ts';
import type { EpicRun } from './context.ts';

/** Finds conflicts between stories that are being worked on, before they are merged. */
export class Foresight {
  readonly #run: EpicRun;
  /** By pair: the commits that were compared last, and whether they conflicted. */
  readonly #known = new Map<string, { heads: string; files: string }>();

  constructor(run: EpicRun) {
    this.#run = run;
  }

  /** Compares the newest commits of these stories. Each pair is compared again only when one of the two moved. */
  async look(stories: readonly string[]): Promise<void> {
    const { git, worker } = this.#run;
    const heads = new Map<string, string>();
    for (const id of stories) {
      const head = await git.resolve(`refs/heads/${formatStoryBranch(id)}`);
      if (head !== undefined) heads.set(id, head);
    }
    const known = [...heads];
    for (const [i, [first, a]] of known.entries()) {
      for (const [second, b] of known.slice(i + 1)) {
        const pair = `${first} ${second}`;
        const before = this.#known.get(pair);
        if (before?.heads === `${a} ${b}`) continue;
        const files = await this.#compare(a, b);
        this.#known.set(pair, { heads: `${a} ${b}`, files: files.join('\0') });
        if (files.length === 0 || before?.files === files.join('\0')) continue;
        worker.emit('epic:foretold', { stories: [first, second], files });
      }
    }
  }

  async #compare(a: string, b: string): Promise<string[]> {
    try {
      return await findConflicts(this.#run.git, a, b);
    } catch {
      // A look ahead that fails must not stop the work; the merge itself tells.
      return [];
    }
  }
}
