import { useEffect } from 'react';

interface GlobalKeys {
  openPalette: () => void;
  openHelp: () => void;
}

/**
 * j and k move between all elements that are marked as a row, in the order of the page. So every list
 * supports them.
 */
export function useGlobalKeys({ openPalette, openHelp }: GlobalKeys): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openPalette();
        return;
      }
      if (hasDialog() || event.metaKey || event.ctrlKey || event.altKey) return;
      if (isTyping(event.target)) {
        if (event.key === 'Escape') (event.target as HTMLElement).blur();
        return;
      }
      if (event.key === 'j' || event.key === 'k') stepRow(event.key === 'j' ? 1 : -1);
      else if (event.key === '/') findSearch()?.focus();
      else if (event.key === '?') openHelp();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [openPalette, openHelp]);
}

function stepRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/**
 * Whether a dialog is open and has the keyboard. This asks the page and not React: after Escape the dialog
 * closes at once, React learns it later, and a key pressed in between would be lost.
 */
function hasDialog(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

function findSearch(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('input[data-search]');
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}
