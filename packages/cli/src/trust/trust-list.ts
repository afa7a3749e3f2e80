import type { JudgedPart } from '@saga-ai/core/trust/trust-part';
import type { Output } from '../output/output.ts';
import { cleanLine, pad, wrap } from '../output/text.ts';

/** Shows parts in full: a command that is cut could hide its end. */
export function formatParts(
  parts: readonly JudgedPart[],
  { width, paint }: Pick<Output, 'width' | 'paint'>,
): string[] {
  return parts.flatMap(({ name, file, text, state }) => {
    const place = name.startsWith(file) ? '' : `  ${paint('quiet', file)}`;
    const tone = state === 'known' ? 'done' : 'needs-you';
    return [
      `  ${paint(tone, pad(state, STATE_WIDTH))}  ${paint('strong', cleanLine(name))}${place}`,
      ...text
        .split('\n')
        .flatMap((line) => wrap(cleanLine(line), width - INDENT.length))
        .map(indent),
    ];
  });
}

const STATE_WIDTH = 'changed'.length;
const INDENT = ' '.repeat(STATE_WIDTH + 4);
const indent = (line: string) => `${INDENT}${line}`;
