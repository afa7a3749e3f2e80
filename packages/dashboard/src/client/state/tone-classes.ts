import type { Tone } from '@saga-ai/types/screens/story-state';

/** Whole class names, because Tailwind finds only names that are written out. */
export const TEXT: Record<Tone, string> = {
  done: 'text-done',
  running: 'text-running',
  waiting: 'text-waiting',
  'needs-you': 'text-needs-you',
  plain: 'text-plain',
};

export const WASH: Record<Tone, string> = {
  done: 'bg-done-wash text-done',
  running: 'bg-running-wash text-running',
  waiting: 'bg-waiting-wash text-waiting',
  'needs-you': 'bg-needs-you-wash text-needs-you',
  plain: 'bg-plain-wash text-plain',
};

/** Classes for the left edge of a node or a banner. */
export const EDGE: Record<Tone, string> = {
  done: 'border-l-done',
  running: 'border-l-running',
  waiting: 'border-l-waiting',
  'needs-you': 'border-l-needs-you',
  plain: 'border-l-edge',
};

/** Classes for the upper edge of a tile. */
export const TOP: Record<Tone, string> = {
  done: 'border-t-done',
  running: 'border-t-running',
  waiting: 'border-t-waiting',
  'needs-you': 'border-t-needs-you',
  plain: 'border-t-edge',
};
