import { listFiles } from '@saga-ai/types/words/amounts';
import { formatEpicBranch, formatStoryBranch } from '@saga-ai/types/words/names';
import { findConflicts } from '../git/merge-trees.ts';
import { tellStory } from '../messages/tell-story.ts';
import { appendJournal } from '../plan/journal.ts';
import type { EpicRun } from './context.ts';

/** Finds conflicts between stories that are being worked on, before they are merged. */
export class Foresight {
  readonly #run: EpicRun;
  /** For each pair, the commits that were compared last, and whether they conflicted. */
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
        const files = await this.#compare({ id: first, head: a }, { id: second, head: b });
        this.#known.set(pair, { heads: `${a} ${b}`, files: files.join('\0') });
        if (files.length === 0 || before?.files === files.join('\0')) continue;
        worker.emit('epic:foretold', { stories: [first, second], files });
        await this.#tell(second, first, files);
      }
    }
  }

  /**
   * Tells the later story of the conflict: the run that works on it, or the next run if this one ends
   * before it has read the message. If no worker works on the story, the conflict is written into its journal.
   */
  async #tell(story: string, other: string, files: readonly string[]): Promise<void> {
    const { worker, epicId } = this.#run;
    const { paths } = worker;
    const title = `Conflict expected with ${other}`;
    const body = `Both stories change ${listFiles(files)}. Keep your changes there small, so that the two can be merged.`;
    try {
      const said = { from: `The scheduler of epic ${epicId}`, text: `${title}: ${body}` };
      if (tellStory(paths, story, { ...said, interrupts: false })) return;
      const time = new Date().toISOString();
      await appendJournal(paths, story, { kind: 'Note', title, body, time });
    } catch {
      // The log already names the conflict.
    }
  }

  /**
   * Leaves out changes that a story only took over from the branch of its epic. A conflict in them is between that
   * branch and the other story.
   */
  async #compare(a: Work, b: Work): Promise<string[]> {
    try {
      const files = await findConflicts(this.#run.git, a.head, b.head);
      if (files.length === 0) return [];
      const changes = [await this.#listOwn(a), await this.#listOwn(b)];
      const namesOf = (file: string) => [file, ...changes.flatMap((it) => it.get(file) ?? [])];
      return files.filter((file) =>
        changes.every((own) => namesOf(file).some((name) => own.has(name))),
      );
    } catch {
      // A comparison that fails must not stop the work. The merge itself will show the conflict.
      return [];
    }
  }

  /**
   * Returns what a story changed since it last took over the branch of its epic: each path, with the path that the file
   * had before.
   */
  async #listOwn({ id, head }: Work): Promise<Map<string, string>> {
    const { git, items, base, epicId } = this.#run;
    const epic = items.find((it) => it.id === id)?.epic ?? epicId;
    const into = (await git.resolve(`refs/heads/${formatEpicBranch(epic)}`)) ?? base.commit;
    const began = await git.run(['merge-base', into, head]);
    const fields = await git.paths(['diff', '--name-status', '-z', '-M', began, head]);
    const own = new Map<string, string>();
    for (let at = 0; at + 1 < fields.length; ) {
      const [kind = '', before = '', after = ''] = fields.slice(at, at + 3);
      const isRenamed = /^[RC]/.test(kind);
      own.set(before, before);
      if (isRenamed) own.set(after, before);
      at += isRenamed ? 3 : 2;
    }
    return own;
  }
}

/** A story and the newest commit of its branch. */
interface Work {
  id: string;
  head: string;
}
