import { ID_RULE, isId } from '@saga-ai/types/plan/ids';
import type { Problem } from '@saga-ai/types/words/problem';

/** Reports an `id` that differs from the name on disk. The name is the key and is never changed. */
export function describeMismatch(found: string, expected: string, file: string): Problem {
  return {
    code: 'id-mismatch',
    message: `${file}: "id" is ${JSON.stringify(found)}, but the name says ${expected}.`,
    hint: isId(expected)
      ? `Set "id": "${expected}", or rename the file or folder to match.`
      : `Rename the file or folder to match: ${ID_RULE}.`,
    file,
    field: 'id',
  };
}

export function describeBadName(name: string, file: string): Problem {
  return {
    code: 'invalid-id',
    message: `${file}: ${JSON.stringify(name)} is not a valid id.`,
    hint: `Rename it: ${ID_RULE}.`,
    file,
  };
}
