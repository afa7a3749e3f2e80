/** Caches the searched text of each view: every key that a person types searches the same ten thousand items. */
const TEXTS = new WeakMap<object, string>();

/** A story or an epic; both can belong to an epic. */
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
