import { expect, test } from 'vitest';
import { deriveSpans, type Worked } from './spans.ts';

const RUN = { from: 100, to: null };
const OVER = { from: 100, to: 900 };
const none: Worked = { sessions: [], merges: [], isStuck: false };
const session = (from: number, to: number | null, more = {}) => ({
  ...{ from, to, isStuck: false, gates: [] },
  ...more,
});
const merge = (from: number, to: number | null, more = {}) => ({
  ...{ from, to, isFailed: false, isStuck: false },
  ...more,
});
const show = (worked: Partial<Worked>, period: { from: number; to: number | null } = RUN) =>
  deriveSpans({ ...none, ...worked }, period).map(
    ({ kind, from, to, isFailed }) => `${kind} ${from}-${to ?? 'now'}${isFailed ? ' failed' : ''}`,
  );
const gates = [
  { from: 300, to: 350, isFailed: true },
  { from: 500, to: 560, isFailed: false },
];

test.each<[string, string[], string[]]>([
  ['nothing yet', show({}), []],
  ['a worker that runs', show({ sessions: [session(200, null)] }), ['work 200-now']],
  [
    'gates interrupt the work',
    show({ sessions: [session(200, 560, { gates })] }),
    ['work 200-300', 'gate 300-350 failed', 'work 350-500', 'gate 500-560'],
  ],
  [
    'work on each task is a span of its own',
    show({ sessions: [session(200, null, { gates: gates.slice(0, 1), tasks: [250, 400] })] }),
    ['work 200-250', 'work 250-300', 'gate 300-350 failed', 'work 350-400', 'work 400-now'],
  ],
  [
    'a gate that runs',
    show({ sessions: [session(200, null, { gates: [{ ...gates[1], to: null }] })] }),
    ['work 200-500', 'gate 500-now'],
  ],
  [
    'a gate that was killed with its worker',
    show({ sessions: [session(200, 520, { gates: [{ ...gates[1], to: null }] })] }),
    ['work 200-500', 'gate 500-520'],
  ],
  [
    'it waits for a person until it begins again',
    show({ sessions: [session(200, 300, { isStuck: true }), session(400, 450)] }),
    ['work 200-300', 'waits 300-400', 'work 400-450'],
  ],
  [
    'it waits for a person now',
    show({ sessions: [session(200, 300, { isStuck: true })], isStuck: true }),
    ['work 200-300', 'waits 300-now'],
  ],
  [
    'it was helped, and nothing has begun since',
    show({ sessions: [session(200, 300, { isStuck: true })] }),
    ['work 200-300'],
  ],
  [
    'a merge that fails twice waits for a person',
    show({
      sessions: [session(200, 300), session(320, 400)],
      merges: [
        merge(300, 320, { isFailed: true }),
        merge(400, 410, { isFailed: true, isStuck: true }),
      ],
      isStuck: true,
    }),
    [
      'work 200-300',
      'merge 300-320 failed',
      'work 320-400',
      'merge 400-410 failed',
      'waits 410-now',
    ],
  ],
  [
    'what is outside the run is cut off',
    show({ sessions: [session(20, 90), session(50, 300, { isStuck: true })], isStuck: true }, OVER),
    ['work 100-300', 'waits 300-900'],
  ],
])('%s', (_, found, expected) => {
  expect(found).toEqual(expected);
});
