import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { errorCodeOf, messageOf, SagaError } from '@saga-ai/core/errors';
import { findJsonFault } from '@saga-ai/core/files/json-text';
import { isObject } from './json.ts';
import type { Turn } from './turn.ts';
import { checkTurn } from './turn-schema.ts';

/** A fixed list of turns, in `<feature>.<case>.script.json` beside the test that plays it. */
export interface Script {
  name: string;
  turns: readonly Turn[];
}

export function loadScript(path: string): Script {
  const name = basename(path);
  return parseScript(name, parseJson(name, readText(path)));
}

/** Like `loadScript`, for turns that are written in the test itself. */
export function parseScript(name: string, input: unknown): Script {
  const turns = isObject(input) ? input.turns : undefined;
  if (!Array.isArray(turns)) {
    throw new SagaError('invalid-file', `Script ${name}: "turns" must be a list.`, SCRIPT_FORM);
  }
  const problems = turns.flatMap((turn, index) =>
    checkTurn(turn).map(({ field, reason }) => ({
      code: 'invalid-file' as const,
      message: `Script ${name}, turn ${index + 1}: ${field ? `"${field}" ` : 'it '}${reason}.`,
      hint: SCRIPT_FORM,
      file: name,
      field: field ? `turns[${index}].${field}` : undefined,
    })),
  );
  const [first] = problems;
  if (first) throw new SagaError(first.code, first.message, first.hint, { problems });
  return { name, turns };
}

const SCRIPT_FORM =
  'A script is { "turns": [ { "text", "calls": [ { "tool", "input" } ], "usage", "fault" } ] }.';

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = errorCodeOf(cause) === 'ENOENT' ? 'it is missing' : messageOf(cause);
    const message = `Script ${path} cannot be read: ${reason}.`;
    throw new SagaError('unreadable-file', message, 'Check the path of the script.', { cause });
  }
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const fault = findJsonFault(text);
    const where = fault ? `line ${fault.line}: ${fault.reason}` : messageOf(cause);
    const message = `Script ${name} is not valid JSON (${where}).`;
    throw new SagaError('invalid-file', message, SCRIPT_FORM, { cause });
  }
}
