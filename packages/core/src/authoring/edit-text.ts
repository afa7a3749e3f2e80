import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Schema } from '@saga-ai/types/schema';
import { SagaError } from '../errors.ts';
import { readJsonFile } from '../files/json-file.ts';
import { runInteractive } from '../processes/run.ts';

export interface EditedText<T> {
  text: string;
  value: T;
  /** Throws if the file changed while it was being edited. */
  requireUnchanged(current: string): void;
  /** Deletes the edited copy. Call it after the text is saved. */
  discard(): void;
}

/**
 * Lets a person edit a JSON text. Returns undefined if the text is unchanged. An invalid text is
 * refused, but the copy is kept.
 */
export async function editText<T extends { id: string }>(
  before: { name: string; text: string; id: string },
  schema: Schema<T>,
  editor: string,
): Promise<EditedText<T> | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'saga-edit-'));
  const draft = join(folder, before.name);
  const discard = () => rmSync(folder, { recursive: true, force: true });
  writeFileSync(draft, before.text);
  try {
    await runInteractive(editor, [draft]);
  } catch (error) {
    if (readDraft(draft) === before.text) discard();
    throw error;
  }
  const after = readDraft(draft);
  if (after === undefined) {
    discard();
    throw new SagaError(
      'edit-refused',
      `Not saved: the editor left no ${before.name}.`,
      'Save the copy that the editor opens, under its own name.',
    );
  }
  if (after === before.text) {
    discard();
    return undefined;
  }
  const value = requireValid(folder, draft, schema, before.id);
  return {
    text: after.endsWith('\n') ? after : `${after}\n`,
    value,
    discard,
    requireUnchanged(current) {
      if (current === before.text) return;
      throw refuse(`${before.name} was changed by another program meanwhile`, draft);
    },
  };
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

function requireValid<T extends { id: string }>(
  folder: string,
  draft: string,
  schema: Schema<T>,
  expectedId: string,
): T {
  const result = readJsonFile(folder, draft, schema);
  if ('problems' in result) {
    throw refuse(result.problems.map((problem) => problem.message).join('\n'), draft);
  }
  if (result.value.id === expectedId) return result.value;
  throw refuse(`the id may not change (${expectedId} became ${result.value.id})`, draft);
}

function refuse(reason: string, draft: string): SagaError {
  return new SagaError('edit-refused', `Not saved: ${reason}`, `Your text is kept in ${draft}`);
}
