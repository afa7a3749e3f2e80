import type { Candidate } from './candidate.ts';
import type { Figures } from './measure.ts';

export const BARE = 'node -e 0';

/** A usual start of Node takes so much longer than the fastest when others use the machine too. */
const BUSY = 1.3;

/** Figures by program and row, and how they stand to a bare start of Node. */
export class Results {
  readonly #figures: ReadonlyMap<Candidate, Figures>;
  readonly bare: Figures;

  constructor(figures: ReadonlyMap<Candidate, Figures>) {
    this.#figures = figures;
    this.bare = this.of('node', BARE) ?? UNKNOWN;
  }

  /** Nothing when the program has no such command. */
  of(program: string, row: string): Figures | undefined {
    for (const [candidate, figures] of this.#figures) {
      if (candidate.program === program && candidate.row === row) return figures;
    }
    return undefined;
  }

  saga(row: string): Figures {
    return this.of('saga', row) ?? UNKNOWN;
  }

  /**
   * Whatever else the machine does only adds to a run, so the fastest tells most. When it is so
   * busy that even that was disturbed, processor time does.
   */
  judged(figures: Figures): number {
    return this.busy ? figures.cpu : figures.min;
  }

  get busy(): boolean {
    return this.bare.median > BUSY * this.bare.min;
  }

  programs(): string[] {
    return [...new Set([...this.#figures.keys()].map((candidate) => candidate.program))];
  }
}

/** Reaches no target. */
export const UNKNOWN: Figures = {
  median: Number.NaN,
  min: Number.NaN,
  cpu: Number.NaN,
  memory: Number.NaN,
};
