import { SagaError } from '@saga-ai/core/errors';
import type { Script } from './script.ts';
import type { Turn, TurnSource } from './turn.ts';

/** Plays a script once, one turn per request, across all runs. */
export function playScript(script: Script): TurnSource {
  let index = 0;
  let played = 0;
  return async () => {
    const turn = script.turns[index];
    if (!turn) throw exhausted(script);
    const where = `Script ${script.name}, turn ${index + 1}`;
    played++;
    if (played >= timesOf(turn)) {
      index++;
      played = 0;
    }
    return { turn, where };
  };
}

function timesOf({ fault }: Turn): number {
  const times = fault?.times ?? 1;
  return times === 'always' ? Number.POSITIVE_INFINITY : times;
}

function exhausted({ name, turns }: Script): SagaError {
  const count = turns.length;
  return new SagaError(
    'invalid-file',
    `Script ${name}, turn ${count + 1}: the script is exhausted, it has ${count} turn${count === 1 ? '' : 's'}.`,
    'Add the turn the client asks for, or end the last one with a text and no calls.',
  );
}
