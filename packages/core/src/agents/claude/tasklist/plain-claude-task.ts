import { createIsPlain, isListOf, isStatus, isString } from '@saga-ai/types/words/plain';

/** Checks that a value is a task of a native list. Any metadata is accepted. */
export const isPlainClaudeTask = createIsPlain(
  {
    id: isString,
    subject: isString,
    description: isString,
    status: isStatus,
    blocks: isListOf(isString),
    blockedBy: isListOf(isString),
  },
  {
    activeForm: isString,
    owner: isString,
    metadata: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  },
);
