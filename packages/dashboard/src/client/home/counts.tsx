import type { HomeAnswer, StoryFilter } from '@saga-ai/types/screens/dashboard';
import { STATES, type State } from '@saga-ai/types/screens/story-state';
import { Link } from '@tanstack/react-router';
import { TEXT } from '../state/tone-classes.ts';
import { Flash } from '../ui/flash.tsx';

interface Figure {
  state: State;
  word: string;
  n: number;
  filter: StoryFilter;
}

/** The counts of all states in one line. Each count links to its stories. */
export function Counts({ counts }: { counts: HomeAnswer['counts'] }) {
  const figure = (state: State, n: number, filter: StoryFilter, word = state.word): Figure => ({
    state,
    n,
    filter,
    word,
  });
  const figures = [
    figure(
      STATES['needs-you'],
      counts.needsYou,
      'needs-you',
      counts.needsYou === 1 ? 'needs you' : 'need you',
    ),
    figure(STATES.running, counts.running, 'running'),
    figure(STATES.interrupted, counts.interrupted, 'interrupted'),
    figure(STATES['in-review'], counts.inReview, 'in-review'),
    figure(STATES.ready, counts.ready, 'ready'),
    figure(STATES.waiting, counts.waiting, 'waiting'),
    figure(STATES.done, counts.done, 'done'),
  ];
  return (
    <ul
      aria-label="Stories by state"
      className="panel grid grid-cols-2 overflow-hidden sm:grid-cols-4 lg:grid-cols-7"
    >
      {figures.map(({ state, word, n, filter }) => (
        <li key={filter} className="-mb-px -mr-px border-b border-r border-line">
          <Link
            to="/"
            search={{ filter }}
            hash="all"
            className="row flex items-baseline gap-2 px-4 py-2.5"
          >
            <span
              aria-hidden="true"
              className={`w-3 font-glyph font-semibold ${n === 0 ? 'text-faint' : TEXT[state.tone]}`}
            >
              {state.glyph}
            </span>
            <Flash value={n} className={`text-lg font-semibold ${n === 0 ? 'text-faint' : ''}`}>
              {n.toLocaleString('en')}
            </Flash>
            <span className="text-sm text-soft">{word}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
