/** What is searched of a view; a person who types asks for the same ten thousand at every key. */
const TEXTS = new WeakMap<object, string>();

export const splitWords = (query: string | undefined): string[] =>
  (query ?? '').toLowerCase().split(/\s+/).filter(Boolean);

/** Whether all words are found, each anywhere. */
export function hasWords(view: Searched, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const known = TEXTS.get(view);
  const text = known ?? formatText(view);
  if (known === undefined) TEXTS.set(view, text);
  return words.every((word) => text.includes(word));
}

/** A story, or an epic: an epic has a parent too. */
interface Searched {
  id: string;
  title: string;
  epic: string | null;
  labels: readonly string[];
}

const formatText = ({ id, title, epic, labels }: Searched) =>
  `${id} ${title} ${epic ?? ''} ${labels.join(' ')}`.toLowerCase();
