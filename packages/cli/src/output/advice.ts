import type { Advice } from '@saga-ai/types/plan/advice';
import { warning } from '@saga-ai/types/screens/finding';
import { count } from '@saga-ai/types/words/amounts';
import { formatFindings } from './findings.ts';
import type { Output } from './output.ts';

/** Formats each piece of advice, with its remedy below. */
export function formatAdviceOnPlan(advice: readonly Advice[], out: Output): string[] {
  return formatFindings(
    advice.map(({ rule, message, remedy }) => warning(rule, message, remedy)),
    out,
  );
}

/** One line: how much advice there is, and where to read it. */
export function formatShortAdvice(advice: readonly Advice[], out: Output): string[] {
  if (advice.length === 0) return [];
  const rules = [...new Set(advice.map(({ rule }) => rule))];
  const shown = rules.length > 3 ? [...rules.slice(0, 3), '…'] : rules;
  const pieces = count(advice.length, 'piece');
  return [
    `${out.paint('waiting', '!')} ${pieces} of advice (${shown.join(', ')}): saga check --plan`,
  ];
}
