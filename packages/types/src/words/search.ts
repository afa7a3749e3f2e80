import { countEdits } from './nearest.ts';

/**
 * Search for items by words. An item matches if it contains every word, anywhere. If no item matches,
 * words with typos match, too.
 */
export const splitWords = (query: string | undefined): string[] =>
  (query ?? '').toLowerCase().split(/\s+/).filter(Boolean);

/** `text` must be in lower case. */
export const hasWords = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.includes(word));

/** Returns the matching items in the given order. `textOf` must return lower case. */
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

/** A part of an item and the weight of a hit in it. */
export interface SearchField {
  /** In lower case. */
  text: string;
  weight: number;
}

export interface SearchResult<T> {
  item: T;
  score: number;
}

/** Returns the matching items, the best first. If no item has all words, returns those with some of them. */
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

/** Ranks a hit. A whole word counts more than the beginning of a word, and the beginning more than a part inside. */
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

/** Texts share most of their words, so each word is compared once. */
function createTolerantMatcher(word: string): Matcher {
  // Short words are close to almost every other word, so typos are not allowed in them.
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

/** Returns the position of the first of the words, typos allowed; -1 if none is found. `text` must be lower case. */
export function findFirstHit(text: string, words: readonly string[]): number {
  const places = words.map((word) => text.indexOf(word)).filter((at) => at >= 0);
  if (places.length > 0) return Math.min(...places);
  const matchers = words.map(createTolerantMatcher);
  for (const { 0: token, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (matchers.some((isIn) => isIn(token) > 0)) return index;
  }
  return -1;
}
