import type { Problem } from '@saga-ai/types/words/problem';
import { createPaint, type Paint } from './style.ts';
import { describeTerminal } from './terminal.ts';
import { clean, measure, render, wrap } from './text.ts';
import { writeAll } from './write.ts';

/** What a command prints to: one JSON value, or lines for people. */
export interface Output<Json extends object = never> {
  readonly json: boolean;
  readonly width: number;
  readonly paint: Paint;
  /** Prints one value for scripts, with the version of its format. */
  value(value: Json): void;
  lines(lines: readonly string[]): void;
  /** Prints problems to standard error, so that a pipe receives only the result. */
  problems(problems: readonly Problem[]): void;
}

const JSON_VERSION = 1;

export function createOutput(json: boolean): Output<object> {
  const { colour, width } = describeTerminal(1);
  const paint = createPaint(colour && !json);
  return {
    json,
    width,
    paint,
    value: (value) => writeAll(1, formatValue({ version: JSON_VERSION, ...value })),
    lines: (lines) => {
      if (lines.length > 0) writeAll(1, formatLines(lines));
    },
    problems: (problems) => writeProblems(problems),
  };
}

/**
 * Escapes the control characters that a terminal obeys and that JSON leaves as they are. JSON itself escapes only those
 * below the space.
 */
export function formatValue(value: object, indent = 2): string {
  const text = JSON.stringify(value, null, indent);
  const toEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${text.replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, toEscape)}\n`;
}

export function formatLines(lines: readonly string[]): string {
  return `${render(lines.join('\n'))}\n`;
}

export function writeProblems(
  problems: readonly Pick<Problem, 'code' | 'message' | 'hint'>[],
): void {
  if (problems.length === 0) return;
  const { colour, width, isTerminal } = describeTerminal(2);
  const paint = createPaint(colour);
  // Output to a file or a program is not wrapped.
  const room = isTerminal ? width - 2 : Number.POSITIVE_INFINITY;
  writeAll(2, formatLines(formatProblems(problems, width, paint, room)));
}

/** Formats several problems. If several in a row have the same remedy, it is printed once, below the last of them. */
export function formatProblems(
  problems: readonly Pick<Problem, 'code' | 'message' | 'hint'>[],
  width: number,
  paint: Paint,
  room: number,
): string[] {
  // A problem may be an error. Its message would be lost if it were copied.
  return problems.flatMap(({ code, message, hint }, at) => {
    const isSaidBelow = problems[at + 1]?.hint === hint;
    return formatProblem({ code, message, hint: isSaidBelow ? '' : hint }, width, paint, room);
  });
}

/** Formats a problem: the message, its code at the right edge, and what to do below. */
export function formatProblem(
  { code, message, hint }: Pick<Problem, 'code' | 'message' | 'hint'>,
  width: number,
  paint: Paint,
  room = Number.POSITIVE_INFINITY,
): string[] {
  const label = `[${code}]`;
  const fit = (it: string) => (Number.isFinite(room) ? wrap(it, room) : clean(it).split('\n'));
  const text = fit(message).join('\n  ');
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const gap = Math.max(2, Math.min(width, 80) - 2 - measure(last) - label.length);
  // A terminal would break a label that does not fit in the middle.
  const fits = measure(last) + gap + label.length <= room;
  return [
    `${paint('needs-you', '✗')} ${text}${fits ? ' '.repeat(gap) : '\n  '}${paint('quiet', label)}`,
    ...(hint === '' ? [] : fit(hint).map((line) => `  ${line}`)),
  ];
}
