import * as z from 'zod/mini';
import { ID_MAX_LENGTH, ID_PATTERN, ID_RULE, RESERVED_TASK_IDS } from './ids.ts';

/** A file of its own, so that checking an id with `ids` does not load zod. */
export const Id = z
  .string()
  .check(z.regex(ID_PATTERN), z.maxLength(ID_MAX_LENGTH), z.describe(`An id: ${ID_RULE}.`));

export const TaskId = Id.check(
  z.refine(
    (id) => !RESERVED_TASK_IDS.includes(id),
    'is reserved: story.json and evidence.json are not tasks',
  ),
);
