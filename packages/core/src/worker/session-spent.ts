import type { ModelSpent, SessionRecord } from '@saga-ai/types/run/session-record';

export type SpentNow = Pick<
  SessionRecord,
  'tokens' | 'costUsd' | 'isCostEstimated' | 'isCostUnknown' | 'models'
>;

/** Adds up what the runs of a session spend, as a whole and for each model. */
export class SessionSpent {
  #model: string;
  /** What runs that are over spent, by model. */
  readonly #before = new Map<string, ModelSpent>();

  /** `model` is the model of a run until the run names another one. */
  constructor(model: string) {
    this.#model = model;
  }

  /** Notes the model of the current run, when the run begins or names it. */
  begin(model: string): void {
    this.#model = model;
  }

  /** Returns what the session has spent, including what its current run has spent so far. */
  at(run: ModelSpent): SpentNow {
    const all = new Map(this.#before);
    all.set(this.#model, add(all.get(this.#model), run));
    const total = [...all.values()].reduce<ModelSpent>(add, { tokens: 0, costUsd: 0 });
    return { ...total, models: Object.fromEntries(all) };
  }

  /** Adds what a finished run spent. Returns what the session has spent. */
  end(run: ModelSpent): SpentNow {
    this.#before.set(this.#model, add(this.#before.get(this.#model), run));
    return this.at({ tokens: 0, costUsd: 0 });
  }
}

function add(one: ModelSpent = { tokens: 0, costUsd: 0 }, other: ModelSpent): ModelSpent {
  return {
    tokens: one.tokens + other.tokens,
    costUsd: one.costUsd + other.costUsd,
    isCostEstimated: one.isCostEstimated || other.isCostEstimated ? true : undefined,
    isCostUnknown: one.isCostUnknown || other.isCostUnknown ? true : undefined,
  };
}
