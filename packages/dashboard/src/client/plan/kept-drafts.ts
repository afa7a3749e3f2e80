import type { DraftContent } from '@saga-ai/types/screens/planning';

/** A draft that was typed and neither created nor saved. It survives a reload and the end of the browser. */
export interface KeptDraft {
  content: DraftContent;
  /** The version of the document that it changes; null for a new plan. */
  version: string | null;
}

const keyOf = (project: string, place: string) => `saga-plan ${project} ${place}`;

export function readKept(project: string, place: string): KeptDraft | null {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(project, place)) ?? 'null') as KeptDraft;
    return kept !== null && isContent(kept.content) ? kept : null;
  } catch {
    // Storage may be forbidden, or another text is stored there.
    return null;
  }
}

/** Returns false if the browser could not keep the draft. */
export function keepDraft(project: string, place: string, draft: KeptDraft | null): boolean {
  try {
    if (draft === null) localStorage.removeItem(keyOf(project, place));
    else localStorage.setItem(keyOf(project, place), JSON.stringify(draft));
    return true;
  } catch {
    // Storage may be forbidden or full. Then the draft lasts as long as the page.
    return false;
  }
}

function isContent(content: unknown): content is DraftContent {
  if (typeof content !== 'object' || content === null) return false;
  const { text, plan } = content as { text?: unknown; plan?: unknown };
  return typeof text === 'string' || (typeof plan === 'object' && plan !== null);
}
