import { findUnknownFields, type PlanKind } from '@saga-ai/types/plan/unknown-fields';
import type { Problem } from '@saga-ai/types/words/problem';

/** Describes the fields of a file that SAGA does not know. `place` stands before their names. */
export function describeUnknown(
  value: object,
  kind: PlanKind,
  fileOf: () => string,
  place = '',
): Problem[] {
  return findUnknownFields(value, kind).map(({ field, advice }) => {
    const file = fileOf();
    const name = `${place}${field}`;
    return {
      code: 'unknown-field',
      message: `${file}: "${name}" is not a known field, so it has no effect.`,
      hint: advice,
      file,
      field: name,
    };
  });
}
