/** Whether a version such as `2.1.30` is the same as another one or later. */
export function isAtLeast(version: string, other: string): boolean {
  const [a = [], b = []] = [version, other].map((it) => it.split('.').map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
