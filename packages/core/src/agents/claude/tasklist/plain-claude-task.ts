import { createIsPlain, isListOf, isStatus, isString } from '@saga-ai/types/words/plain';

/** A task of a native list; what its metadata hold is anybody's. */
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
