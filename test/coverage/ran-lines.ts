/** What V8 reports of a script: a function's own range comes before those inside it. */
export interface RanFunction {
  ranges: readonly { startOffset: number; endOffset: number; count: number }[];
}

export interface SourceMap {
  sources: readonly string[];
  mappings: string;
}

/** The lines of all sources. A name stands for the source as the map calls it. */
export type Lines = Map<string, Set<number>>;

/** Collects which lines of its sources a script has run, over many processes. */
export class RanLines {
  readonly #places: readonly Place[];
  readonly #offsets: Uint32Array;
  readonly #ran: Uint8Array;
  readonly #now: Uint8Array;

  private constructor(places: readonly Place[]) {
    this.#places = places;
    this.#offsets = Uint32Array.from(this.#places, (it) => it.offset);
    this.#ran = new Uint8Array(this.#places.length);
    this.#now = new Uint8Array(this.#places.length);
  }

  static ofBundle(code: string, map: SourceMap): RanLines {
    return new RanLines(readPlaces(code, map));
  }

  /** Of a source that Node runs as it is: types become blanks, so every place stays where it is. */
  static ofSource(code: string, source: string): RanLines {
    return new RanLines(listPlaces(code, source));
  }

  /** Adds what one process ran. */
  add(functions: readonly RanFunction[]): void {
    this.#now.fill(0);
    for (const { ranges } of functions) {
      for (const { startOffset, endOffset, count } of ranges) {
        // An inner range comes later, so it paints over the one around it.
        this.#now.fill(count > 0 ? 1 : 0, this.#find(startOffset), this.#find(endOffset));
      }
    }
    for (let i = 0; i < this.#now.length; i++) if (this.#now[i]) this.#ran[i] = 1;
  }

  lines(): Lines {
    const lines: Lines = new Map();
    for (const [i, { source, line }] of this.#places.entries()) {
      if (!this.#ran[i]) continue;
      const known = lines.get(source) ?? new Set();
      lines.set(source, known.add(line));
    }
    return lines;
  }

  /** Returns the index of the first place at or after the offset. */
  #find(offset: number): number {
    let [low, high] = [0, this.#offsets.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#offsets[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A place in the bundle, and the line of a source that it comes from, counted from 1. */
interface Place {
  offset: number;
  source: string;
  line: number;
}

/** The first character of each line that is not empty. */
function listPlaces(code: string, source: string): Place[] {
  const places = [...code.matchAll(/^[ \t]*(?=\S)/gm)];
  let [line, from] = [1, 0];
  return places.map((found) => {
    for (; from < found.index; from++) if (code[from] === '\n') line++;
    return { offset: found.index + found[0].length, source, line };
  });
}

/** Reads the mappings of a source map, which are in the order of the bundle. */
function readPlaces(code: string, { sources, mappings }: SourceMap): Place[] {
  const places: Place[] = [];
  let [start, source, line] = [0, 0, 0];
  for (const row of mappings.split(';')) {
    let column = 0;
    for (const word of row === '' ? [] : row.split(',')) {
      const [columns = 0, ofSource, ofLine] = readNumbers(word);
      column += columns;
      if (ofSource === undefined || ofLine === undefined) continue;
      source += ofSource;
      line += ofLine;
      places.push({ offset: start + column, source: sources[source] ?? '', line: line + 1 });
    }
    const end = code.indexOf('\n', start);
    start = end < 0 ? code.length : end + 1;
  }
  return places;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Reads the numbers of one mapping: digits of five bits, the sign in the lowest bit of the number. */
function readNumbers(word: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const letter of word) {
    const digit = DIGITS.indexOf(letter);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
