import { expect, test } from 'vitest';
import { checkPlan, type Plan } from './check-plan.ts';

const epic = (id: string, children: Record<string, string[]>) => ({
  id,
  title: id,
  description: '',
  children: Object.entries(children).map(([child, blockedBy]) => ({ id: child, blockedBy })),
});
const check = (plan: Partial<Plan>) =>
  checkPlan({
    stories: [],
    epics: [],
    archived: new Set(),
    epicFileOf: (id) => `${id}.json`,
    ...plan,
  }).map(({ code, message }) => `${code}: ${message}`);

test.each<[string, Partial<Plan>, string[]]>([
  [
    'all in order',
    { stories: [{ id: 's', epic: 'e', file: 's' }], epics: [epic('e', { s: [] })] },
    [],
  ],
  [
    'an epic nobody wrote',
    { stories: [{ id: 's', epic: 'e', file: 's' }] },
    ['unknown-id: s: "epic" names e, which does not exist.'],
  ],
  [
    'a child nobody wrote',
    { epics: [epic('e', { s: [] })] },
    ['unknown-id: e.json: child s does not exist.'],
  ],
  [
    'an archived child',
    { epics: [epic('e', { s: [] })], archived: new Set(['s']) },
    ['unknown-id: e.json: child s is archived.'],
  ],
  [
    'a story that disagrees',
    { stories: [{ id: 's', file: 's' }], epics: [epic('e', { s: [] })] },
    ['epic-mismatch: e.json lists story s, but s names no epic.'],
  ],
  [
    'an epic that disagrees',
    { stories: [{ id: 's', epic: 'e', file: 's' }], epics: [epic('e', {})] },
    ['epic-mismatch: s: "epic" names e, but that epic does not list s.'],
  ],
  [
    'epics inside each other',
    { epics: [epic('a', { b: [] }), epic('b', { a: [] })] },
    ['cycle: Epics contain each other in a circle: a → b → a.'],
  ],
  [
    'an epic inside itself',
    { epics: [epic('a', { a: [] })] },
    ['cycle: Epics contain each other in a circle: a → a.'],
  ],
  [
    'a child of two epics',
    { epics: [epic('a', { c: [] }), epic('b', { c: [] }), epic('c', {})] },
    ['duplicate-id: b.json: c is already a child of epic a.'],
  ],
  [
    'one id for two things',
    { stories: [{ id: 'x', file: 'x' }], epics: [epic('x', {})], archived: new Set(['x']) },
    [
      'duplicate-id: x.json: x is the id of a story and an epic.',
      'duplicate-id: x.json: x is the id of an epic and something archived.',
      'duplicate-id: x: x is the id of a story and something archived.',
    ],
  ],
  [
    'children in a circle',
    { epics: [epic('e', { a: ['b'], b: ['a'] }), epic('a', {}), epic('b', {})] },
    ['cycle: e.json: children block each other in a circle: a → b → a.'],
  ],
])('%s', (_, plan, expected) => {
  expect(check(plan)).toEqual(expected);
});
