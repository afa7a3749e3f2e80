import type { Advice } from '@saga-ai/types/plan/advice';
import { type Finding, warning } from '@saga-ai/types/screens/finding';
import { count } from '@saga-ai/types/words/amounts';
import type { Output } from './output.ts';
import { clean, measure, wrap } from './text.ts';

const LOOKS = {
  ok: { glyph: '✓', tone: 'done' },
  warning: { glyph: '!', tone: 'waiting' },
  problem: { glyph: '✗', tone: 'needs-you' },
} as const;

/** Formats each finding, with its remedy below. Long lines are wrapped, never cut off. */
export function formatFindings(findings: readonly Finding[], out: Output): string[] {
  const widest = Math.max(0, ...findings.map((it) => measure(clean(it.name))));
  const room = Math.max(24, out.width - widest - 4);
  return findings.flatMap(({ name, state, message, fix }) => {
    const { glyph, tone } = LOOKS[state];
    const [first = '', ...rest] = wrap(clean(message), room);
    const head = `${clean(name)}${' '.repeat(widest - measure(clean(name)))}`;
    const below = ' '.repeat(widest + 4);
    const remedy = fix === undefined ? [] : wrap(clean(fix), room - 2);
    return [
      `${out.paint(tone, glyph)} ${out.paint('strong', head)}  ${first}`,
      ...rest.map((line) => `${below}${line}`),
      ...remedy.map((line, i) => `${below}${i === 0 ? out.paint('quiet', '→') : ' '} ${line}`),
    ];
  });
}

export function countFindings(findings: readonly Finding[]) {
  const countAll = (state: Finding['state']) => findings.filter((it) => it.state === state).length;
  return { problems: countAll('problem'), warnings: countAll('warning') };
}

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
