import { countEdits } from './nearest.ts';

/**
 * The one answer to "which of these does the person mean": an item fits when every word is found in it,
 * anywhere. Only if none fits are typos forgiven.
 */
export const splitWords = (query: string | undefined): string[] =>
  (query ?? '').toLowerCase().split(/\s+/).filter(Boolean);

/** `text` must be in lower case. */
export const hasWords = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.includes(word));

/** Those that fit, in the order they came. `textOf` answers in lower case. */
export function filterByWords<T>(
  items: readonly T[],
  words: readonly string[],
  textOf: (item: T) => string,
): T[] {
  if (words.length === 0) return [...items];
  const fitting = items.filter((item) => hasWords(textOf(item), words));
  if (fitting.length > 0) return fitting;
  const matchers = words.map(createTolerantMatcher);
  return items.filter((item) => matchers.every((isIn) => isIn(textOf(item)) > 0));
}

/** A part of an item, and how much a hit there counts. */
export interface SearchField {
  /** In lower case. */
  text: string;
  weight: number;
}

export interface SearchResult<T> {
  item: T;
  score: number;
}

/** Those that fit, the best first; if none has all the words even with typos, those with some of them. */
export function searchItems<T>(
  items: readonly T[],
  query: string,
  fieldsOf: (item: T) => readonly SearchField[],
): SearchResult<T>[] {
  const words = splitWords(query);
  if (words.length === 0) return [];
  const exact = words.map((word) => (text: string) => rankHit(text, word));
  const tolerant = words.map(createTolerantMatcher);
  const attempts = [
    { matchers: exact, needed: words.length },
    { matchers: tolerant, needed: words.length },
    { matchers: tolerant, needed: 1 },
  ];
  for (const { matchers, needed } of attempts) {
    const found = items.flatMap((item): SearchResult<T>[] => {
      const score = scoreItem(fieldsOf(item), matchers, needed);
      return score > 0 ? [{ item, score }] : [];
    });
    if (found.length > 0) return found.sort((a, b) => b.score - a.score);
  }
  return [];
}

type Matcher = (text: string) => number;

function scoreItem(
  fields: readonly SearchField[],
  matchers: readonly Matcher[],
  needed: number,
): number {
  let score = 0;
  let hits = 0;
  for (const match of matchers) {
    let best = 0;
    for (const { text, weight } of fields) best = Math.max(best, match(text) * weight);
    if (best > 0) hits++;
    score += best;
  }
  return hits >= needed ? score : 0;
}

const WHOLE = 4;
const BEGIN = 3;
const INSIDE = 2;
const TYPO = 1;

/** A whole word counts more than the beginning of one, and that more than a part of one. */
function rankHit(text: string, word: string): number {
  let best = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const begins = at === 0 || !isLetter(text[at - 1]);
    const ends = !isLetter(text[at + word.length]);
    const rank = begins && ends ? WHOLE : begins ? BEGIN : INSIDE;
    if (rank > best) best = rank;
    if (best === WHOLE) break;
  }
  return best;
}

const LETTER = /[\p{L}\p{N}]/u;
const isLetter = (char: string | undefined): boolean => char !== undefined && LETTER.test(char);

/** Texts share most of their words, so each of those is compared once. */
function createTolerantMatcher(word: string): Matcher {
  // Of short words, every other one is close.
  const limit = word.length > 3 ? Math.max(1, Math.round(word.length / 4)) : 0;
  const known = new Map<string, boolean>();
  const isNear = (other: string): boolean => {
    const answer = known.get(other);
    if (answer !== undefined) return answer;
    const near = Math.abs(other.length - word.length) <= limit && countEdits(word, other) <= limit;
    known.set(other, near);
    return near;
  };
  return (text) => {
    const rank = rankHit(text, word);
    if (rank > 0 || limit === 0) return rank;
    return (text.match(/[\p{L}\p{N}]+/gu) ?? []).some(isNear) ? TYPO : 0;
  };
}

/** Where the first of the words stands, typos forgiven; -1 if none is there. `text` is in lower case. */
export function findFirstHit(text: string, words: readonly string[]): number {
  const places = words.map((word) => text.indexOf(word)).filter((at) => at >= 0);
  if (places.length > 0) return Math.min(...places);
  const matchers = words.map(createTolerantMatcher);
  for (const { 0: token, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (matchers.some((isIn) => isIn(token) > 0)) return index;
  }
  return -1;
}
