/**
 * One way on after a worker or a gate has ended: what it is for, and its steps, one after the other. An error brings its
 * own hint instead.
 */
export type AdviceAfter = { aim: string; steps: readonly [string, ...string[]] } | { hint: string };

/** Formats an advice in parts, one a step. Together they are one sentence. */
export function formatAdviceParts(advice: AdviceAfter): string[] {
  if ('hint' in advice) return [advice.hint];
  const { aim, steps } = advice;
  return steps.map((step, i) => {
    const lead = i === 0 ? `${aim}: ` : 'then ';
    return `${lead}${step}${i < steps.length - 1 ? ',' : ''}`;
  });
}
