import type { State } from '@saga-ai/types/screens/story-state';
import { WASH } from '../state/tone-classes.ts';

export function StateTag({ state }: { state: State }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2 py-px text-xs font-medium ${WASH[state.tone]}`}
    >
      <span aria-hidden="true" className="font-glyph">
        {state.glyph}
      </span>
      <span>{state.word}</span>
    </span>
  );
}
