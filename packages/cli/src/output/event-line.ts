import type { SessionEvent } from '@saga-ai/types/run/event';
import { describeStep } from '@saga-ai/types/screens/describe-step';
import type { Paint } from './style.ts';
import { cleanLine, pad } from './text.ts';

/** Formats an event as one line. Returns undefined for an event that only programs need. */
export function formatEvent(event: SessionEvent, paint: Paint): string | undefined {
  const step = describeStep(event);
  if (!step) return undefined;
  const indent = event.type === 'task:status' ? '  ' : '';
  const head = pad(step.head, HEAD_WIDTH);
  return `${indent}${paint(step.tone, step.glyph)} ${head}  ${cleanLine(step.text)}`.trimEnd();
}

const HEAD_WIDTH = 13;
