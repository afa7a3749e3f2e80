/**
 * Whether two lists of globs may name the same file. A folder stands for everything in it. Brackets and braces count as
 * "any text", and exclusions are ignored, so the function may return true for lists that do not overlap. It never
 * returns false for lists that do.
 */
export function doOverlap(some: readonly string[], others: readonly string[]): boolean {
  for (const a of some) {
    if (a.startsWith('!')) continue;
    for (const b of others) {
      if (!b.startsWith('!') && doPathsMeet(parse(a), parse(b))) return true;
    }
  }
  return false;
}

/** Parsed globs, because plans have thousands of stories with the same few globs, and every pair is compared. */
const PARSED = new Map<string, Parsed>();

interface Parsed {
  segments: readonly string[];
  /** How many segments at the front are plain names. */
  plain: number;
}

function parse(glob: string): Parsed {
  const known = PARSED.get(glob);
  if (known) return known;
  const segments = toSegments(glob);
  const first = segments.findIndex((it) => /[*?]/.test(it));
  const parsed = { segments, plain: first === -1 ? segments.length : first };
  PARSED.set(glob, parsed);
  return parsed;
}

function toSegments(glob: string): string[] {
  const plain = glob.replace(/^\.?\//, '').replace(/\/$/, '');
  // A slash inside braces or brackets belongs to the pattern, so all of it counts as any path.
  if (/[{[(][^}\])]*\/[^}\])]*[}\])]/.test(plain)) return ['**'];
  const segments = plain.split('/').map((it) => it.replace(/[{[(!@+?*].*/, toAny));
  return segments.at(-1) === '**' ? segments : [...segments, '**'];
}

/** Keeps simple wildcards, and turns everything else that is special into "any text". */
function toAny(text: string): string {
  if (text === '**') return text;
  return /^[*?\w.-]*$/.test(text) ? text.replace(/\*+/g, '*') : '*';
}

/** Whether some path fits both lists of segments; `**` stands for any number of segments. */
function doPathsMeet(a: Parsed, b: Parsed): boolean {
  // Most pairs differ in a plain name at the front.
  for (let i = 0; i < a.plain && i < b.plain; i++) {
    if (a.segments[i] !== b.segments[i]) return false;
  }
  return meet(a.segments, b.segments, (it) => it === '**', doNamesMeet);
}

/** Whether some name fits both; `*` stands for any text, `?` for one character. */
function doNamesMeet(a: string, b: string): boolean {
  return meet(
    [...a],
    [...b],
    (it) => it === '*',
    (x, y) => x === y || x === '?' || y === '?',
  );
}

/** Whether two patterns can fit the same sequence. Works through a table, so that long patterns take no longer. */
function meet<T>(
  a: readonly T[],
  b: readonly T[],
  isAny: (part: T) => boolean,
  fits: (x: T, y: T) => boolean,
): boolean {
  let row: boolean[] = [];
  for (let i = a.length; i >= 0; i--) {
    const below = row;
    row = [];
    for (let j = b.length; j >= 0; j--) {
      const [x, y] = [a[i], b[j]];
      if (x === undefined && y === undefined) row[j] = true;
      else if (x !== undefined && isAny(x)) {
        row[j] = below[j] === true || (y !== undefined && row[j + 1] === true);
      } else if (y !== undefined && isAny(y)) {
        row[j] = row[j + 1] === true || (x !== undefined && below[j] === true);
      } else if (x === undefined || y === undefined) row[j] = false;
      else row[j] = fits(x, y) && below[j + 1] === true;
    }
  }
  return row[0] === true;
}
