import { withoutMark } from '@saga-ai/types/words/without-mark';
import { parse } from 'yaml';
import { findJsonFault } from '../files/json-text.ts';
import type { Carried, OldFile } from './carried.ts';
import { fieldsOf } from './carried.ts';

/** Parses a file that holds one JSON object. If the file holds no object, notes the reason and returns undefined. */
export function parseJsonFile(
  { path, text }: OldFile,
  notes: Carried['notes'],
): Record<string, unknown> | undefined {
  const json = withoutMark(text);
  const fault = findJsonFault(json);
  if (!fault) return fieldsOf(JSON.parse(json));
  notes.push({ from: path, note: `line ${fault.line} is not valid JSON: the file is left out` });
  return undefined;
}

/** Splits a Markdown file into its YAML front matter and the text below it. */
export function splitFrontMatter(
  { path, text }: OldFile,
  notes: Carried['notes'],
): { fields: Record<string, unknown>; body: string } {
  const plain = withoutMark(text).replace(/\r\n?/g, '\n');
  const [whole = '', yaml] = /^---\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(plain) ?? [];
  if (yaml === undefined) return { fields: {}, body: plain };
  try {
    return { fields: fieldsOf(parse(yaml)), body: plain.slice(whole.length) };
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    notes.push({ from: path, note: `its front matter is not valid YAML (${reason}): not read` });
    return { fields: {}, body: plain.slice(whole.length) };
  }
}
