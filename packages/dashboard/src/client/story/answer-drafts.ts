/** Answers that were typed and not sent. They survive a look at another page and a reload. */
const keyOf = (storyId: string, blocker: string) => `saga-answer ${storyId} ${blocker}`;

export function readDraft(storyId: string, blocker: string): string {
  try {
    return sessionStorage.getItem(keyOf(storyId, blocker)) ?? '';
  } catch {
    // Storage may be forbidden.
    return '';
  }
}

export function keepDraft(storyId: string, blocker: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(keyOf(storyId, blocker));
    else sessionStorage.setItem(keyOf(storyId, blocker), text);
  } catch {
    // Storage may be forbidden. Then the draft lasts as long as the form.
  }
}
