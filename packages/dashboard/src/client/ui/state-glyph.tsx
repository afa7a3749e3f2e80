import type { State } from '@saga-ai/types/screens/story-state';
import { TEXT } from '../state/tone-classes.ts';

export function StateGlyph({ state }: { state: State }) {
  return (
    <span
      className={`inline-block w-4 shrink-0 text-center font-glyph text-sm font-semibold ${TEXT[state.tone]}`}
    >
      <span aria-hidden="true">{state.glyph}</span>
      <span className="sr-only">{state.word}</span>
    </span>
  );
}
