/** The known word a mistyped one most likely stands for; nothing when none is close. */
export function findNearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  // Of very short words, every other one is close.
  const limit = Math.min(3, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = countEdits(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Edits between two words, a swap of neighbours counted as one (optimal string alignment). */
export function countEdits(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        at(previous, j) + 1,
        at(row, j - 1) + 1,
        at(previous, j - 1) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforePrevious, j - 2) + 1);
      }
      row.push(cost);
    }
    beforePrevious = previous;
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
