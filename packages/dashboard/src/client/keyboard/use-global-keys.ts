import { useEffect } from 'react';

interface GlobalKeys {
  openPalette: () => void;
  openHelp: () => void;
}

/**
 * j and k walk over whatever is marked as a row, in the order of the page, so that every list has them
 * without saying so.
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
 * A dialog is open and has the keyboard. Asked of the page: after Escape it is closed at once, and what
 * React knows of it follows later, so that a key pressed in between would be lost.
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
