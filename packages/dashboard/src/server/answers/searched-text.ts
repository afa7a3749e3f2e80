/** What is searched of a view; a person who types asks for the same ten thousand at every key. */
const TEXTS = new WeakMap<object, string>();

/** A story, or an epic: an epic has a parent too. */
interface Searched {
  id: string;
  title: string;
  epic: string | null;
  labels: readonly string[];
}

export function searchedTextOf(view: Searched): string {
  const known = TEXTS.get(view);
  if (known !== undefined) return known;
  const { id, title, epic, labels } = view;
  const text = `${id} ${title} ${epic ?? ''} ${labels.join(' ')}`.toLowerCase();
  TEXTS.set(view, text);
  return text;
}
