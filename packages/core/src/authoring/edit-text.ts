import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Schema } from '@saga-ai/types/schema';
import { SagaError } from '../errors.ts';
import { checkJsonText } from '../files/json-file.ts';
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

/**
 * Lets a person edit a JSON text. Returns undefined if the text is unchanged. If the text is not valid,
 * the editor opens again, with the reason above the text. A text that the person leaves as it is then
 * is refused, but the copy is kept.
 */
export async function editText<T extends { id: string }>(
  before: { name: string; text: string; id: string },
  schema: Schema<T>,
  editor: string,
): Promise<EditedText<T> | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'saga-edit-'));
  const draft = join(folder, before.name);
  const discard = () => rmSync(folder, { recursive: true, force: true });
  let given = before.text;
  writeFileSync(draft, given);
  for (let tries = 1; ; tries++) {
    const after = await openEditor(editor, draft, before, discard);
    if (after === before.text) {
      discard();
      return undefined;
    }
    const checked = checkText(after, before, schema);
    if ('value' in checked) {
      return {
        text: after.endsWith('\n') ? after : `${after}\n`,
        value: checked.value,
        discard,
        requireUnchanged(current) {
          if (current === before.text) return;
          throw refuse(`${before.name} was changed by another program meanwhile`, draft);
        },
      };
    }
    writeFileSync(draft, after);
    if (after === given || tries === MOST_TRIES) throw refuse(checked.reasons.join('\n'), draft);
    given = after;
    writeFileSync(draft, formatRetry(after, before, schema));
  }
}

/** Returns the text that the person left, without the remarks above it. */
async function openEditor(
  editor: string,
  draft: string,
  before: { name: string; text: string },
  discard: () => void,
): Promise<string> {
  try {
    await runInteractive(editor, [draft]);
  } catch (error) {
    if (readDraft(draft) === before.text) discard();
    throw error;
  }
  const text = readDraft(draft);
  if (text !== undefined) return text.replace(REMARKS, '');
  discard();
  throw new SagaError(
    'edit-refused',
    `Not saved: the editor left no ${before.name}.`,
    'Save the copy that the editor opens, under its own name.',
  );
}

/** Lines above the text. JSON has no comments, so they cannot be a part of it. */
const REMARKS = /^(?:\/\/.*\r?\n)+/;

/** Puts the reasons above the text. Numbers of lines are those of the whole file. */
function formatRetry<T extends { id: string }>(
  text: string,
  before: { name: string; id: string },
  schema: Schema<T>,
): string {
  const advice = ['Correct it and save. To give up, close the editor without a change.'];
  const first = checkText(text, before, schema);
  const height = 'reasons' in first ? first.reasons.length + advice.length : 0;
  const shifted = checkText(`${'\n'.repeat(height)}${text}`, before, schema);
  const reasons = 'reasons' in shifted ? shifted.reasons : [];
  return [...reasons.map((it) => `Not saved: ${it}`), ...advice]
    .map((line) => `// ${line.replaceAll('\n', ' ')}\n`)
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
    return readDraft(draft) ?? '';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readDraft(draft: string): string | undefined {
  try {
    return readFileSync(draft, 'utf8');
  } catch {
    // An editor may remove or rename the file.
    return undefined;
  }
}

function checkText<T extends { id: string }>(
  text: string,
  { name, id }: { name: string; id: string },
  schema: Schema<T>,
): { value: T } | { reasons: string[] } {
  const result = checkJsonText(name, text, schema);
  if ('problems' in result) return { reasons: result.problems.map(({ message }) => message) };
  if (result.value.id === id) return result;
  return { reasons: [`the id may not change (${id} became ${result.value.id})`] };
}

function refuse(reason: string, draft: string): SagaError {
  return new SagaError('edit-refused', `Not saved: ${reason}`, `Your text is kept in ${draft}`);
}
