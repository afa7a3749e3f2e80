import { listFiles } from '@saga-ai/types/words/amounts';
import { formatStoryBranch } from '@saga-ai/types/words/names';
import { findConflicts } from '../git/merge-trees.ts';
import { tellStory } from '../messages/tell-story.ts';
import { appendJournal } from '../plan/journal.ts';
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
        await this.#tell(second, first, files);
      }
    }
  }

  /**
   * Tells the later story: the run that works on it, or the next one if it ends before it has read it. If nobody
   * works on it now, its journal says so.
   */
  async #tell(story: string, other: string, files: readonly string[]): Promise<void> {
    const { worker, epicId } = this.#run;
    const { paths } = worker;
    const title = `Conflict in the making with ${other}`;
    const body = `Both stories change ${listFiles(files)}. Keep your changes there small, so that the two can be merged.`;
    try {
      const said = { from: `The scheduler of epic ${epicId}`, text: `${title}: ${body}` };
      if (tellStory(paths, story, { ...said, interrupts: false })) return;
      const time = new Date().toISOString();
      await appendJournal(paths, story, { kind: 'Note', title, body, time });
    } catch {
      // The log says the same.
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
