import { STATES } from '@saga-ai/types/screens/story-state';
import { TEXT } from '../state/tone-classes.ts';
import { Dialog } from './dialog.tsx';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl K  ⌘K', 'go to a story, an epic or a page'],
  ['/', 'search on this page'],
  ['j  k', 'next and previous row'],
  ['← → ↑ ↓', 'walk through a graph, along its edges'],
  ['Enter', 'open it'],
  [
    'w',
    'in the order of a plan: pick up a story or task, then press Enter on the one that must wait for it',
  ],
  ['1 – 9', 'open a tile of an epic run'],
  ['Ctrl Enter', 'send an answer, create or save a plan'],
  ['[  ]', 'in a review: previous and next file'],
  ['p  n', 'in a review: previous and next change; then j and k go line by line'],
  ['c  v  u', 'in a review: remark on the line, mark the file as viewed, side by side'],
  ['Esc', 'leave a field, close a dialog or what was opened beside a run'],
  ['?', 'this help'],
];

const SHOWN = [
  STATES['needs-you'],
  STATES.failed,
  STATES.running,
  STATES.interrupted,
  STATES.ready,
  STATES.waiting,
  STATES['in-review'],
  STATES.done,
];

export default function Help({ close }: { close: () => void }) {
  return (
    <Dialog label="Keyboard help" close={close}>
      <div className="grid gap-6 p-5 sm:grid-cols-[1fr_auto]">
        <section>
          <h2 className="mb-2 text-sm font-semibold">Keyboard</h2>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
            {KEYS.map(([keys, what]) => (
              <div key={keys} className="contents">
                <dt className="whitespace-pre font-mono text-xs text-faint">{keys}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section>
          <h2 className="mb-2 text-sm font-semibold">What the signs mean</h2>
          <ul className="grid gap-1.5 text-sm">
            {SHOWN.map(({ glyph, tone, word }) => (
              <li key={word} className="flex gap-2">
                <span
                  aria-hidden="true"
                  className={`w-5 text-center font-glyph font-semibold ${TEXT[tone]}`}
                >
                  {glyph}
                </span>
                {word}
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Dialog>
  );
}
