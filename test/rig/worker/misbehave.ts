import { type Call, type Policy, type ToolCall, walkTasks } from '@saga-ai/model';
import type { Workshop } from './workshop.ts';

/** A call that needs to know where the worktree is. */
export type Trial = ToolCall | ((worktree: string) => ToolCall);

/** A policy that first makes each of these calls once, one in each turn, and then works through the tasks. */
export function misbehave(trials: readonly Trial[]): Policy {
  const walk = walkTasks();
  let made = 0;
  return function misbehave(conversation) {
    const trial = trials[made];
    if (trial === undefined || conversation.calls.length !== made) return walk(conversation);
    made += 1;
    const call = typeof trial === 'function' ? trial(conversation.cwd ?? '') : trial;
    return { calls: [call] };
  };
}

export const bash = (command: string): ToolCall => ({ tool: 'Bash', input: { command } });

/** Returns the results of the first calls, as the model was shown them. */
export function findAnswers({ model }: Workshop, count: number): NonNullable<Call['result']>[] {
  for (const { conversation } of model.requests) {
    const answers = conversation.calls.slice(0, count).flatMap((call) => call.result ?? []);
    if (answers.length === count) return answers;
  }
  throw new Error(`no conversation has ${count} answered calls`);
}
