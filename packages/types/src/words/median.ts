/** Finds the value in the middle; 0 if there is none. */
export function findMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [before = 0, after = 0] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? after : (before + after) / 2;
}
