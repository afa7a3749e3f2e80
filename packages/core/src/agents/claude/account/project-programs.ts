import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutMark } from '@saga-ai/types/words/without-mark';
import { errorCodeOf } from '../../../errors.ts';
import type { ProjectProgram } from '../../agent.ts';

/** Runs are given the shared settings of a project alone: `settings.local.json` is never read. */
const SETTINGS = '.claude/settings.json';
const SERVERS = '.mcp.json';

/** Keys that start no program and allow none. Every other key, known or unknown, must be trusted. */
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
    // The client may be able to read a text that this parser cannot, so a person must trust the whole file.
    if (value === undefined) return [{ file, text }];
    return Object.entries(value)
      .filter(([key]) => !HARMLESS.has(key))
      .map(([key, it]) => ({ file, key, text: JSON.stringify(it) }));
  });
}

function readText(checkout: string, file: string): string[] {
  try {
    const text = withoutMark(readFileSync(join(checkout, file), 'utf8'));
    return text.trim() === '' ? [] : [text];
  } catch (error) {
    // The file does not exist. If this process may not read it, the client may not read it either.
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
