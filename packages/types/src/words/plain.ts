import { isId, RESERVED_TASK_IDS } from '../plan/ids.ts';

/**
 * Fast checks whether a file fits its schema. Nearly every file does, and these checks take a fraction of
 * the schema's time. They return false for a file with an unknown field; then the schema decides.
 */
export type IsPlain = (input: unknown) => boolean;

type Checks = Readonly<Record<string, IsPlain>>;

export const isString: IsPlain = (value) => typeof value === 'string';
const isText: IsPlain = (value) => typeof value === 'string' && value !== '';
const isTaskId: IsPlain = (value) => isId(value) && !RESERVED_TASK_IDS.includes(value);
export const isListOf = (check: IsPlain): IsPlain => {
  return (value) => Array.isArray(value) && value.every(check);
};

export const isStatus: IsPlain = (value) =>
  value === 'pending' || value === 'in_progress' || value === 'completed';

export const isPlainTask = createIsPlain(
  {
    id: isTaskId,
    subject: isText,
    description: isString,
    status: isStatus,
    blockedBy: isListOf(isTaskId),
  },
  {
    $schema: isString,
    activeForm: isString,
    guidance: isString,
    doneWhen: isString,
    area: isString,
  },
);

export const isPlainStory = createIsPlain(
  { id: isId, title: isText, description: isString },
  {
    $schema: isString,
    epic: isId,
    guidance: isString,
    doneWhen: isString,
    avoid: isString,
    pr: isString,
  },
);

export function createIsPlain(required: Checks, optional: Checks): IsPlain {
  const checks = new Map(Object.entries({ ...required, ...optional }));
  const names = Object.keys(required);
  return (input) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return false;
    const record = input as Record<string, unknown>;
    for (const name in record) if (!checks.get(name)?.(record[name])) return false;
    return names.every((name) => Object.hasOwn(record, name));
  };
}
