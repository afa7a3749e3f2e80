import type { Slip } from './read-body.ts';
import { readNames } from './values.ts';

/**
 * Reads what an epic contains beside the stories below it: stories and epics that exist already, with
 * commas between them, or one on each item of a list as `shipping (after: billing)`.
 */
export function readChildren(
  value: unknown,
  line: number,
  slips: Slip[],
): Record<string, unknown>[] {
  if (Array.isArray(value)) return value as Record<string, unknown>[];
  if (typeof value !== 'string') return [];
  return splitChildren(value).flatMap((text) => {
    const [, id = '', after] = /^`?([a-z0-9-]+)`?(?:\s*\(after:\s*([^()]*)\))?$/i.exec(text) ?? [];
    if (id === '') {
      slips.push({
        line,
        message: `**Contains:** names ${JSON.stringify(text)}, which is not an id`,
        hint: 'Name stories or epics that exist already, such as: billing, shipping (after: billing)',
      });
      return [];
    }
    return [{ id, blockedBy: after === undefined ? [] : readNames(after) }];
  });
}

function splitChildren(text: string): string[] {
  if (text.trim().toLowerCase() === 'none') return [];
  const parts = text
    .split('\n')
    .flatMap((line) => line.replace(/^\s*[-+*]\s+/, '').split(/,(?![^(]*\))/));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
