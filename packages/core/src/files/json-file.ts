import { constants, readFileSync } from 'node:fs';
import type { Schema } from '@saga-ai/types/schema';
import { describeIssues } from '@saga-ai/types/words/describe-issue';
import type { IsPlain } from '@saga-ai/types/words/plain';
import type { Problem } from '@saga-ai/types/words/problem';
import { withoutMark } from '@saga-ai/types/words/without-mark';
import { errorCodeOf, messageOf, SagaError } from '../errors.ts';
import { displayPath } from '../project/display-path.ts';
import { quote } from '../project/quote.ts';
import { formatRestore } from '../project/restore-command.ts';
import { writeFileAtomic } from './atomic-write.ts';
import { type Changes, editJson, findJsonFault } from './json-text.ts';

export type ReadResult<T> = { value: T; text: string } | { problems: Problem[] };

/**
 * Reads and checks one JSON file. Returns problems instead of throwing, so that one bad file does not
 * end a list.
 */
export function readJsonFile<T>(
  root: string,
  path: string,
  schema: Schema<T>,
  /** A quick check that makes the schema unnecessary if the value is certainly valid. */
  isPlain: IsPlain = () => false,
): ReadResult<T> {
  const place = placeOf(root, path);
  let text: string;
  try {
    text = readFileSync(path, READ);
  } catch (error) {
    return { problems: [describeUnreadable(error, place)] };
  }
  return checkText(place, text, schema, isPlain);
}

/** How a file is named to people. Computed only for a problem, because ten thousand good files do not need it. */
interface Place {
  file(): string;
  /** The command that restores the file. */
  restore(): string;
}

function placeOf(root: string, path: string): Place {
  return { file: () => displayPath(root, path), restore: () => formatRestore(root, path) };
}

/** Like readJsonFile, for a text that is not in its file yet. */
export function checkJsonText<T>(name: string, text: string, schema: Schema<T>): ReadResult<T> {
  const place = { file: () => name, restore: () => `git checkout -- ${quote(name)}` };
  return checkText(place, text, schema, () => false);
}

function checkText<T>(
  place: Place,
  read: string,
  schema: Schema<T>,
  isPlain: IsPlain,
): ReadResult<T> {
  const text = withoutMark(read);
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    return { problems: [describeInvalidJson(text, error, place)] };
  }
  if (isPlain(input)) return { value: input as T, text };
  const result = checkValue(place, input, schema);
  return 'value' in result ? { value: result.value, text } : result;
}

function checkValue<T>(
  place: Place,
  input: unknown,
  schema: Schema<T>,
): { value: T } | { problems: Problem[] } {
  const result = schema.safeParse(input);
  if (result.success) return { value: result.data };
  const file = place.file();
  const restore = place.restore();
  return {
    problems: describeIssues(result.error, input).map(({ field, message }) => ({
      code: 'invalid-file',
      message: field ? `${file}: "${field}" ${message}.` : `${file} ${message}.`,
      hint: `Correct the field, or restore the file: ${restore}`,
      file,
      field: field || undefined,
    })),
  };
}

/** Like readJsonFile, but throws if the file is bad. */
export function loadJsonFile<T>(
  root: string,
  path: string,
  schema: Schema<T>,
): { value: T; text: string } {
  const result = readJsonFile(root, path, schema);
  if ('value' in result) return result;
  throw toError(result.problems);
}

/**
 * Changes top-level fields of a file and returns whether anything changed. The caller must hold the
 * lock. An unchanged text is not written, and a result that does not match the schema never is.
 */
export function saveJsonFields<T>(
  root: string,
  path: string,
  schema: Schema<T>,
  changes: Changes,
): boolean {
  const { text } = loadJsonFile(root, path, schema);
  const edited = editJson(text, changes);
  if (edited === text) return false;
  const result = checkValue(placeOf(root, path), JSON.parse(edited), schema);
  if ('problems' in result) throw toError(result.problems);
  writeFileAtomic(path, edited);
  return true;
}

export function toError(problems: readonly Problem[]): SagaError {
  const [first] = problems;
  if (!first) throw new Error('toError needs a problem');
  return new SagaError(first.code, first.message, first.hint, { problems });
}

/** If the path is a pipe, opening it must not block. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;
// Node accepts numeric flags; only the types of this call lack them.
export const READ = { encoding: 'utf8', flag: WITHOUT_WAITING as unknown as string } as const;

function describeUnreadable(error: unknown, place: Place): Problem {
  const file = place.file();
  const reasons: Record<string, [reason: string, hint: string]> = {
    EISDIR: ['is a folder, but should be a file', `Move it away: mv ${file} elsewhere`],
    EACCES: ['cannot be read (permission denied)', `Make it readable: chmod u+r ${file}`],
    ENOENT: ['is missing', `Restore it: ${place.restore()}`],
    ENOTDIR: ['is below a file that should be a folder', 'Check the path.'],
  };
  const [reason, hint] = reasons[errorCodeOf(error) ?? ''] ?? [
    `cannot be read (${messageOf(error)})`,
    'Check the file.',
  ];
  return { code: 'unreadable-file', message: `${file} ${reason}.`, hint, file };
}

function describeInvalidJson(text: string, error: unknown, place: Place): Problem {
  const file = place.file();
  const fault = findJsonFault(text);
  const where = fault ? `line ${fault.line}: ${fault.reason}` : messageOf(error);
  return {
    code: 'invalid-file',
    message: `${file} is not valid JSON (${where}).`,
    hint: `Fix the file, or restore it: ${place.restore()}`,
    file,
  };
}
