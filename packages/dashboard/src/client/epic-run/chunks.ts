/** How many items are drawn together. */
const SIZE = 40;

/** Cuts a long list into pieces. A piece is drawn again only if one of its items changed. */
export function cutIntoChunks<T>(items: readonly T[]): (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / SIZE) }, (_, i) =>
    items.slice(i * SIZE, (i + 1) * SIZE),
  );
}

export const hasSameItems = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i]);
