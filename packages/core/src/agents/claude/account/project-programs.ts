import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf } from '../../../errors.ts';

/** One thing in a checkout that makes the client start a program or lets it do more. */
export interface ProjectProgram {
  file: string;
  /** The key of the settings; undefined if the whole file counts. */
  key?: string;
  text: string;
}

/** Runs are given the shared settings of a project alone: `settings.local.json` is never read. */
const SETTINGS = '.claude/settings.json';
const SERVERS = '.mcp.json';

/** Keys that neither name a program nor free one. A key that is not known here counts. */
const HARMLESS = new Set([
  '$schema',
  'attribution',
  'cleanupPeriodDays',
  'includeCoAuthoredBy',
  'language',
  'outputStyle',
  'spinnerTipsEnabled',
  'theme',
]);

/** Lists what the client would take from the settings of a checkout: hooks, variables, helpers, servers. */
export function listProjectPrograms(checkout: string): ProjectProgram[] {
  return [
    ...readSettings(checkout, SETTINGS),
    ...readText(checkout, SERVERS).map((text) => ({ file: SERVERS, text })),
  ];
}

function readSettings(checkout: string, file: string): ProjectProgram[] {
  return readText(checkout, file).flatMap((text) => {
    const value = parse(text);
    // The client may read a text that this parser does not, so the whole file counts.
    if (value === undefined) return [{ file, text }];
    return Object.entries(value)
      .filter(([key]) => !HARMLESS.has(key))
      .map(([key, it]) => ({ file, key, text: JSON.stringify(it) }));
  });
}

function readText(checkout: string, file: string): string[] {
  try {
    const text = readFileSync(join(checkout, file), 'utf8').replace(/^\uFEFF/, '');
    return text.trim() === '' ? [] : [text];
  } catch (error) {
    // Nothing is there. Whatever else keeps this process from reading keeps the client from it, too.
    if (errorCodeOf(error) === undefined) throw error;
    return [];
  }
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    // Not JSON.
    return undefined;
  }
}
