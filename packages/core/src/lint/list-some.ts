/** Names at most three, and counts the others. */
export function listSome(ids: readonly string[]): string {
  if (ids.length <= 4)
    return ids.length < 2 ? ids.join('') : `${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`;
  return `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more`;
}
