import type { Trouble } from '@saga-ai/types/run/session-record';
import type { Overview } from '@saga-ai/types/screens/overview';
import { formatEpicBranch, formatStoryBranch } from '@saga-ai/types/words/names';
import type { EpicRun } from './context.ts';
import type { Integration } from './integrate.ts';
import { type EpicItem, layOutAgain, type PlannedItem } from './layout.ts';
import { type Mark, noteLook, type StartedStory } from './survey.ts';

/** What a scheduler knows of its items beside the overview: what it began, and what it could not do. */
export class Attempts {
  readonly #run: EpicRun;
  readonly #all = new Map<string, StartedStory>();
  /** The states of the items as they were at the last look. */
  readonly #states = new Map<string, string>();
  #items: readonly PlannedItem[];
  #kept = '[]';

  constructor(run: EpicRun) {
    this.#run = run;
    this.#items = run.items;
  }

  get all(): ReadonlyMap<string, StartedStory> {
    return this.#all;
  }

  /** The items as the plan has them now. */
  get items(): readonly PlannedItem[] {
    return this.#items;
  }

  startsOf(id: string): number {
    return this.#all.get(id)?.starts ?? 0;
  }

  set(id: string, attempt: StartedStory): void {
    this.#all.set(id, attempt);
  }

  /** Takes over how the items stand, and asks git about those in trouble. */
  async look({ stories, epics }: Overview): Promise<ReadonlyMap<string, Mark | undefined>> {
    const byId = new Map(epics.map((it) => [it.id, it]));
    this.#items = layOutAgain(this.#run.epicId, this.#items, byId);
    for (const { id, state } of [...stories, ...epics]) this.#states.set(id, state);
    const seen = new Map<string, Mark | undefined>();
    for (const { id, isPlanned = true } of this.#items) {
      if (!isPlanned && !this.#all.has(id)) this.#all.set(id, { starts: 0, isRunning: false });
      const { trouble, merged } = this.#all.get(id) ?? {};
      const isAsked = trouble !== undefined || merged !== undefined || !isPlanned;
      seen.set(id, isAsked ? await this.#mark(id) : { ...this.#stand(id), tips: [] });
    }
    return seen;
  }

  /**
   * Notes which stories were seen waiting for a person: only after that can a person have helped. Forgets the
   * trouble of an item that is no longer as it was, and finds that of an item whose merge did not help.
   */
  note(seen: ReadonlyMap<string, Mark | undefined>): void {
    for (const item of this.#items) {
      const attempt = this.#all.get(item.id);
      const found = attempt && noteLook(attempt, item, seen.get(item.id), new Date().toISOString());
      if (!found) continue;
      const fields = { why: 'refused', detail: found.reason, isTold: false } as const;
      const into = formatEpicBranch(item.epic);
      this.#run.worker.emit('epic:not-merged', { story: item.id, into, ...fields });
    }
  }

  async noteNotStarted(id: string, why: string, remedy: string | undefined): Promise<void> {
    const what = { reason: `not started: ${why}`, remedy, next: `saga run ${id}` };
    const trouble = { ...what, since: new Date().toISOString(), mark: await this.#mark(id) };
    this.#all.set(id, { starts: this.startsOf(id), isRunning: false, trouble });
  }

  /** A story whose journal got the feedback begins again, however its last worker ended. */
  async noteMerge({ id, kind, epic }: EpicItem, result: Integration): Promise<void> {
    const mark = await this.#mark(id);
    const attempt: StartedStory = { starts: this.startsOf(id), isRunning: false };
    if (result.kind === 'merged') attempt.merged = { mark };
    if (result.kind === 'failed') {
      const reason = `not merged into ${formatEpicBranch(epic)}: ${result.reason}`;
      const next = kind === 'story' ? `saga gate ${id}` : `saga logs ${this.#run.epicId}`;
      attempt.trouble = { reason, next, since: new Date().toISOString(), mark };
    }
    this.#all.set(id, attempt);
  }

  /** Keeps in the record of the run what only a person can help. */
  keepTroubles(): void {
    const troubles = [...this.#all].flatMap(([item, { trouble }]): Trouble[] => {
      if (!trouble?.mark) return [];
      const { reason, remedy, next, since, mark } = trouble;
      return [{ item, reason, remedy, next, since, state: mark.state, tips: [...mark.tips] }];
    });
    const text = JSON.stringify(troubles);
    if (text === this.#kept) return;
    this.#kept = text;
    this.#run.keepTroubles(troubles);
  }

  /** Returns undefined if git cannot be asked: an item of which nothing is known has not changed. */
  async #mark(id: string): Promise<Mark | undefined> {
    const { epics, git, base } = this.#run;
    const branch = epics.has(id) ? formatEpicBranch(id) : formatStoryBranch(id);
    const places = ['refs/heads', ...(base.remote ? [`refs/remotes/${base.remote}`] : [])];
    try {
      const tips = await Promise.all(places.map((it) => git.resolve(`${it}/${branch}`)));
      return { ...this.#stand(id), tips: tips.filter((it) => it !== undefined) };
    } catch {
      // git could not be started. The next look asks it again.
      return undefined;
    }
  }

  #stand(id: string): Pick<Mark, 'state' | 'isPlanned'> {
    const isPlanned = this.#items.find((it) => it.id === id)?.isPlanned ?? true;
    return { state: this.#states.get(id) ?? '', isPlanned };
  }
}
