import type { Output } from '../output/output.ts';
import { clean } from '../output/text.ts';

/** Colours the lines of a diff of two plans. */
export function formatDiff(diff: string, { paint }: Pick<Output, 'paint'>): string[] {
  return diff
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('\\ No newline'))
    .map((line) => {
      const text = clean(line);
      if (line.startsWith('@@')) return paint('quiet', text.replace(/^(@@ .*? @@).*$/, '$1'));
      if (line.startsWith('+')) return paint('done', text);
      return line.startsWith('-') ? paint('needs-you', text) : text;
    });
}
