import type { HomeAnswer } from '@saga-ai/types/screens/dashboard';
import type { Tone } from '@saga-ai/types/screens/story-state';
import { Link } from '@tanstack/react-router';
import { TEXT } from '../state/tone-classes.ts';
import { Flash } from '../ui/flash.tsx';

type Filter = 'needs-you' | 'running' | 'ready' | 'done';

/** The counts of all states in one line. Each count links to its stories. */
export function Counts({ counts }: { counts: HomeAnswer['counts'] }) {
  const figures: [glyph: string, tone: Tone, word: string, n: number, filter: Filter][] = [
    [
      '!',
      'needs-you',
      counts.needsYou === 1 ? 'needs you' : 'need you',
      counts.needsYou,
      'needs-you',
    ],
    ['●', 'running', 'running', counts.running, 'running'],
    ['○', 'plain', 'ready', counts.ready, 'ready'],
    ['✓', 'done', 'done', counts.done, 'done'],
  ];
  return (
    <ul
      aria-label="Stories by state"
      className="panel grid grid-cols-2 overflow-hidden sm:grid-cols-4"
    >
      {figures.map(([glyph, tone, word, n, filter]) => (
        <li key={filter} className="-mb-px -mr-px border-b border-r border-line">
          <Link
            to="/"
            search={{ filter }}
            hash="all"
            className="row flex items-baseline gap-2 px-4 py-2.5"
          >
            <span
              aria-hidden="true"
              className={`w-3 font-glyph font-semibold ${n === 0 ? 'text-faint' : TEXT[tone]}`}
            >
              {glyph}
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
