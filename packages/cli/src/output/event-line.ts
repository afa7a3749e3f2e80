import type { SessionEvent } from '@saga-ai/types/run/event';
import { describeStep } from '@saga-ai/types/screens/describe-step';
import type { Paint } from './style.ts';
import { cleanLine, hang, pad } from './text.ts';

/**
 * Formats an event. What is too long for the width goes on below its own text. Returns no lines for an
 * event that only programs need.
 */
export function formatEvent(
  event: SessionEvent,
  paint: Paint,
  width: number = Number.POSITIVE_INFINITY,
): string[] {
  const step = describeStep(event);
  if (!step) return [];
  const indent = event.type === 'task:status' ? '  ' : '';
  const head = `${indent}${paint(step.tone, step.glyph)} ${pad(step.head, HEAD_WIDTH)}  `;
  return hang(head, cleanLine(step.text), width);
}

const HEAD_WIDTH = 13;
