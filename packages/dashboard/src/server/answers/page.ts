import { SagaError } from '@saga-ai/core/errors';
import type { Page } from '@saga-ai/types/screens/dashboard';

const LIMIT = 50;
const MOST = 200;

export interface PageRequest {
  cursor?: string | undefined;
  limit?: string | undefined;
}

/**
 * Returns one page of an ordered list. The cursor holds the sort key of the last item, not its index, so
 * items that are added or removed between two pages do not hide an item or show one twice.
 */
export function takePage<T>(
  ordered: readonly T[],
  keyOf: (item: T) => SortKey,
  { cursor, limit }: PageRequest,
): Page<T> {
  const size = readLimit(limit);
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const start = after ? findStart(ordered, keyOf, after) : 0;
  const items = ordered.slice(start, start + size);
  const last = items.at(-1);
  const isEnd = start + size >= ordered.length || last === undefined;
  return { items, total: ordered.length, cursor: isEnd ? null : writeCursor(keyOf(last)) };
}

/** The sort key of a list: the main value first, then a value that is different for equal items. */
export type SortKey = readonly [string | number, string];

export function compareKeys(a: SortKey, b: SortKey): number {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1;
  return a[1] === b[1] ? 0 : a[1] < b[1] ? -1 : 1;
}

function findStart<T>(list: readonly T[], keyOf: (item: T) => SortKey, after: SortKey): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = list[middle] as T;
    if (compareKeys(keyOf(item), after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

const writeCursor = (key: SortKey) => Buffer.from(JSON.stringify(key)).toString('base64url');

function readCursor(text: string): SortKey {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (Array.isArray(key) && ['string', 'number'].includes(typeof key[0])) {
      return [key[0], String(key[1])];
    }
  } catch {
    // The error below reports every cursor that is not valid.
  }
  throw new SagaError(
    'usage',
    'The cursor does not belong to this list.',
    'Ask for the first page again.',
  );
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return LIMIT;
  if (/^[1-9]\d{0,5}$/.test(text)) return Math.min(Number(text), MOST);
  throw new SagaError(
    'usage',
    `limit must be a number from 1 to ${MOST}.`,
    'Without limit, a page has 50 items.',
  );
}
