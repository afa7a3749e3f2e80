import type { Evidence, GateCheck } from '@saga-ai/types/run/evidence';
import { STATES, type State, stateOfCheck } from '@saga-ai/types/screens/story-state';
import { type AdviceAfter, formatAdviceParts } from '@saga-ai/types/words/advice-after';
import type { Output } from './output.ts';
import { clean, cut, measure, pad, wrap } from './text.ts';

/** One check of a gate, or one finding about its evidence. */
export interface ReportLine {
  name: string;
  outcome: GateCheck['outcome'];
  detail: string;
}

type Look = Pick<Output, 'width' | 'paint'>;

/** Lists checks, one per line; a long detail goes on below. A skipped check looks different from a passed one. */
export function formatChecks(lines: readonly ReportLine[], { width, paint }: Look): string[] {
  const column = Math.max(...lines.map(({ name }) => name.length));
  const indent = ' '.repeat(column + 4);
  return lines.flatMap(({ name, outcome, detail }) => {
    const { glyph, tone }: State = stateOfCheck(outcome);
    const [first = '', ...rest] = wrap(detail, Math.min(width, 100) - indent.length);
    const head = `${paint(tone, glyph)} ${pad(name, column)}  `;
    return [`${head}${first}`.trimEnd(), ...rest.map((line) => `${indent}${line}`.trimEnd())];
  });
}

const SHOWN_LINES = 20;

/** The end of what the verify command printed; no lines if it passed or printed nothing. */
export function formatVerifyEnd({ verify }: Pick<Evidence, 'verify'>, out: Look): string[] {
  if (!verify || verify.exitCode === 0 || verify.outputEnd.trim() === '') return [];
  const lines = verify.outputEnd.trimEnd().split('\n');
  const shown = lines.slice(-SHOWN_LINES);
  const isAll = lines.length === shown.length;
  return [
    '',
    out.paint('strong', isAll ? 'Verify printed:' : `The last ${shown.length} lines of verify:`),
    ...shown.map((line) => formatOutputLine(line, out)),
    '',
  ];
}

/** Lists files that a person should look at, because they decide what the verify command does. */
export function formatWarnings({ warnings = [] }: Evidence, { width, paint }: Look): string[] {
  return warnings.flatMap((it) => {
    const [first = '', ...rest] = wrap(it, Math.min(width, 100) - 2);
    return [`${paint('waiting', '!')} ${first}`, ...rest.map((line) => `  ${line}`)];
  });
}

/** One line that a command printed. */
export function formatOutputLine(line: string, { width, paint }: Look): string {
  return cut(`  ${paint('quiet', '│')} ${clean(line.replaceAll('\t', '  '))}`, width);
}

/** Advice, one a line. A line that is too long goes on below, where the next step begins. */
export function formatAdvice(advice: readonly AdviceAfter[], width: number): string[] {
  return advice.flatMap((it) => {
    const parts = formatAdviceParts(it);
    const whole = `  → ${parts.join(' ')}`;
    if (measure(whole) <= width) return [whole];
    return parts.map((part, i) => `${i === 0 ? '  → ' : '    '}${part}`);
  });
}

/** The last line of a report. */
export function formatVerdict(
  storyId: string,
  isGood: boolean,
  verdict: string,
  out: Look,
): string {
  const { tone } = isGood ? STATES.passed : STATES.failed;
  return out.paint(tone, `${storyId}: ${verdict}`);
}

export const UNVERIFIED_HINT = [
  '  unverified: no verify command has tested the work',
  '  → to set one: saga config gate.verify "npm test"',
];
