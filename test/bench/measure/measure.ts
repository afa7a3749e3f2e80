import { type Candidate, timeRun, type Usage, weighRun } from './candidate.ts';

/** Infinite when a single run takes more than a minute. */
export interface Figures {
  /** Milliseconds on the clock. */
  median: number;
  min: number;
  /** Milliseconds of processor time, the least of all runs. */
  cpu: number;
  /** Megabytes, the most of all runs. */
  memory: number;
}

const LEAST_ROUNDS = 3;
const USAGE_ROUNDS = 6;
/** Milliseconds after which a slow candidate has had its share of the rounds. */
const SHARE = 8_000;

/**
 * Times and memory of every candidate. The first round warms caches up and does not count; who
 * cannot finish it is left alone.
 */
export function measure(candidates: readonly Candidate[], rounds: number): Map<Candidate, Figures> {
  const warmUp = sampleInTurn(candidates, 1, timeRun);
  const able = candidates.filter((it) => warmUp.get(it)?.length);
  const times = sampleInTurn(able, rounds, timeRun);
  const usages = sampleInTurn(able, USAGE_ROUNDS, weighRun);
  return new Map(
    candidates.map((it) => [it, deriveFigures(times.get(it) ?? [], usages.get(it) ?? [])]),
  );
}

/**
 * Round by round, one run of each candidate after the other: what else happens on the machine then
 * falls on all of them alike.
 */
function sampleInTurn<T>(
  candidates: readonly Candidate[],
  rounds: number,
  sample: (candidate: Candidate) => T | undefined,
): Map<Candidate, T[]> {
  const samples = new Map<Candidate, T[]>(candidates.map((it) => [it, []]));
  const spent = new Map<Candidate, number>();
  for (let round = 0; round < rounds; round++) {
    for (const candidate of candidates) {
      if (round >= LEAST_ROUNDS && (spent.get(candidate) ?? 0) > SHARE) continue;
      const before = performance.now();
      const value = sample(candidate);
      if (value !== undefined) samples.get(candidate)?.push(value);
      spent.set(candidate, (spent.get(candidate) ?? 0) + performance.now() - before);
    }
  }
  return samples;
}

function deriveFigures(times: readonly number[], usages: readonly Usage[]): Figures {
  const sorted = times.toSorted((a, b) => a - b);
  const endless = Number.POSITIVE_INFINITY;
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? endless,
    min: sorted[0] ?? endless,
    cpu: Math.min(...usages.map((usage) => usage.cpu)),
    memory: usages.length > 0 ? Math.max(...usages.map((usage) => usage.memory)) : endless,
  };
}
