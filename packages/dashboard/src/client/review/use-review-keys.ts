import { type RefObject, useEffect } from 'react';
import type { DiffHandle } from './diff/diff-view.tsx';

/** Keys of the review, anywhere on its page but in a field or a dialog. */
export function useReviewKeys(diff: RefObject<DiffHandle | null>, toggleView: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isOther = event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented;
      if (isOther || isTyping(event.target) || document.querySelector('dialog[open]')) return;
      const handle = diff.current;
      if (event.key === ']') handle?.stepFile(1);
      else if (event.key === '[') handle?.stepFile(-1);
      else if (event.key === 'n') handle?.stepHunk(1);
      else if (event.key === 'p') handle?.stepHunk(-1);
      else if (event.key === 'c') handle?.remark();
      else if (event.key === 'v') handle?.toggleViewed();
      else if (event.key === 'u') toggleView();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [diff, toggleView]);
}

/** Whether the person types into a field. A checkbox takes no letters, so it does not count. */
function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox';
  return target instanceof HTMLElement && ['TEXTAREA', 'SELECT'].includes(target.tagName);
}
