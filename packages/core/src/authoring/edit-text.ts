import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Schema } from '@saga-ai/types/schema';
import { SagaError } from '../errors.ts';
import { checkJsonText } from '../files/json-file.ts';
import { readIfReadable } from '../files/read-text.ts';
import { runInteractive } from '../processes/run.ts';

export interface EditedText<T> {
  text: string;
  value: T;
  /** Throws if the file changed while it was being edited. */
  requireUnchanged(current: string): void;
  /** Deletes the edited copy. Call it after the text is saved. */
  discard(): void;
}

/** An editor that changes its text again and again without making it valid is not opened more often. */
const MOST_TRIES = 20;

/** How a text is checked, and what remarks above it look like. */
export interface Language<T> {
  check(text: string): CheckedText<T> | Promise<CheckedText<T>>;
  formatRemark(line: string): string;
  /** Matches the remarks above a text. */
  remarks: RegExp;
  /** What happens to a text that is not valid. */
  refusal: string;
}

export type CheckedText<T> = { value: T } | { reasons: string[] };

/**
 * Lets a person edit a text. Returns undefined if the text is unchanged. If the text is not valid, the editor opens
 * again, with the reason above the text. If the person then closes the editor without a change, the text is refused,
 * but the copy is kept.
 */
export async function editText<T>(
  before: { name: string; text: string },
  language: Language<T>,
  editor: string,
): Promise<EditedText<T> | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'saga-edit-'));
  const draft = join(folder, before.name);
  const discard = () => rmSync(folder, { recursive: true, force: true });
  const refuse = (reason: string) =>
    new SagaError(
      'edit-refused',
      `${language.refusal}: ${reason}`,
      `Your text is kept in ${draft}`,
    );
  let given = before.text;
  writeFileSync(draft, given);
  for (let tries = 1; ; tries++) {
    const after = await openEditor(editor, draft, before, language, discard);
    if (after === before.text) {
      discard();
      return undefined;
    }
    const checked = await language.check(after);
    if ('value' in checked) {
      return {
        text: after.endsWith('\n') ? after : `${after}\n`,
        value: checked.value,
        discard,
        requireUnchanged(current) {
          if (current === before.text) return;
          throw refuse(`${before.name} was changed by another program meanwhile`);
        },
      };
    }
    writeFileSync(draft, after);
    if (after === given || tries === MOST_TRIES) throw refuse(checked.reasons.join('\n'));
    given = after;
    writeFileSync(draft, await formatRetry(after, language));
  }
}

/** The language of the plan's files. Their `id` may not change. */
export function createJsonLanguage<T extends { id: string }>(
  { name, id }: { name: string; id: string },
  schema: Schema<T>,
): Language<T> {
  return {
    // JSON has no comments, so lines that begin with `//` are remarks of SAGA.
    remarks: /^(?:\/\/.*\r?\n)+/,
    formatRemark: (line) => `// ${line}`,
    refusal: 'Not saved',
    check: (text) => {
      const result = checkJsonText(name, text, schema);
      if ('problems' in result) return { reasons: result.problems.map(({ message }) => message) };
      if (result.value.id === id) return result;
      return { reasons: [`the id may not change (${id} became ${result.value.id})`] };
    },
  };
}

/** Returns the text that the person left, without the remarks above it. */
async function openEditor(
  editor: string,
  draft: string,
  before: { name: string; text: string },
  { remarks }: { remarks: RegExp },
  discard: () => void,
): Promise<string> {
  try {
    await runInteractive(editor, [draft]);
  } catch (error) {
    if (readIfReadable(draft) === before.text) discard();
    throw error;
  }
  const text = readIfReadable(draft);
  if (text !== undefined) return text.replace(remarks, '');
  discard();
  throw new SagaError(
    'edit-refused',
    `Not saved: the editor left no ${before.name}.`,
    'Save the copy that the editor opens, under its own name.',
  );
}

/** Puts the reasons above the text. Numbers of lines are those of the whole file. */
async function formatRetry<T>(text: string, language: Language<T>): Promise<string> {
  const advice = ['Correct it and save. To give up, close the editor without a change.'];
  const first = await language.check(text);
  const height = 'reasons' in first ? first.reasons.length + advice.length : 0;
  const shifted = await language.check(`${'\n'.repeat(height)}${text}`);
  const reasons = 'reasons' in shifted ? shifted.reasons : [];
  return [...reasons.map((it) => `${language.refusal}: ${it}`), ...advice]
    .map((line) => `${language.formatRemark(line.replaceAll('\n', ' '))}\n`)
    .concat(text)
    .join('');
}

/** Lets a person write a text in an editor and returns it unchecked. */
export async function writeInEditor(name: string, text: string, editor: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'saga-edit-'));
  try {
    const draft = join(folder, name);
    writeFileSync(draft, text);
    await runInteractive(editor, [draft]);
    // An editor may remove or rename the file.
    return readIfReadable(draft) ?? '';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
