import type { DiffHunk } from '@saga-ai/types/screens/review/review';
import { useEffect, useState } from 'react';
import type { Token } from './colour-lines.ts';
import { findLanguage } from './languages.ts';

const known = new WeakMap<DiffHunk, Token[][]>();

/** The longest text that is coloured. A longer text is data, and colouring it would block the page. */
const MOST_LETTERS = 60_000;

/** The coloured lines of a part, as soon as there is time for it. Until then the lines are plain. */
export function useColours(path: string, hunk: DiffHunk): Token[][] | undefined {
  const [, redraw] = useState(0);
  const colours = known.get(hunk);
  useEffect(() => {
    const language = findLanguage(path);
    if (known.has(hunk) || language === undefined) return;
    if (hunk.lines.reduce((sum, line) => sum + line.length, 0) > MOST_LETTERS) return;
    let isGone = false;
    const colour = async () => {
      const { colourHunk } = await import('./colour-lines.ts');
      if (isGone) return;
      if (!known.has(hunk)) known.set(hunk, await colourHunk(language, hunk));
      if (!isGone) redraw((count) => count + 1);
    };
    // A reader who scrolls fast past a file does not wait for its colours.
    const timer = window.setTimeout(() => {
      // Without colours the lines can be read as well.
      colour().catch(() => {});
    }, 80);
    return () => {
      isGone = true;
      window.clearTimeout(timer);
    };
  }, [path, hunk]);
  return colours;
}
