import type { EpicRuns } from '@saga-ai/core/epic/look/epic-runs';
import type { EpicRunAnswer, EpicRunReply } from '@saga-ai/types/screens/epic-run/epic-run';

/** The last answer about the stories of an epic. */
interface Told {
  version: number;
  /** The first version since which changes are known. */
  from: number;
  /** All ids, in order. */
  ids: string;
  rows: Map<string, { text: string; version: number }>;
}

/**
 * Answers with the run of an epic, or only with what changed in it: a page of a thousand stories asks twice a
 * second while eight of them run.
 */
export class RunAnswers {
  readonly #runs: Pick<EpicRuns, 'find'>;
  readonly #told = new Map<string, Told>();

  constructor(runs: Pick<EpicRuns, 'find'>) {
    this.#runs = runs;
  }

  async find(epicId: string, since?: number): Promise<EpicRunReply> {
    const answer = await this.#runs.find(epicId);
    const told = this.#note(epicId, answer);
    const { version, from } = told;
    if (since === undefined || since < from || since > version) {
      return { ...answer, version, isPart: false };
    }
    const stories = answer.stories.filter(({ id }) => (told.rows.get(id)?.version ?? 0) > since);
    return { ...answer, stories, version, isPart: true };
  }

  #note(epicId: string, { stories }: EpicRunAnswer): Told {
    const ids = stories.map(({ id }) => id).join(' ');
    const known = this.#told.get(epicId);
    // The version contains the time, so that a version of an earlier server is not mistaken for one of this server.
    const version = Math.max(Date.now(), (known?.version ?? 0) + 1);
    const isSame = known?.ids === ids;
    const told: Told = { version, from: isSame ? known.from : version, ids, rows: new Map() };
    let isChanged = !isSame;
    for (const row of stories) {
      const text = JSON.stringify(row);
      const before = isSame ? known.rows.get(row.id) : undefined;
      const isOld = before?.text === text;
      isChanged ||= !isOld;
      told.rows.set(row.id, isOld ? before : { text, version });
    }
    if (known && !isChanged) return known;
    this.#told.set(epicId, told);
    return told;
  }
}
