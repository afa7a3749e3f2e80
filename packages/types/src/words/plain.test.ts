import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Story } from '../plan/story.ts';
import { Task } from '../plan/task.ts';
import { isPlainStory, isPlainTask } from './plain.ts';

const value = fc.oneof(
  fc.constantFrom('a', 'story', 'A b', '', 'pending', 'completed', undefined, null, true, 1),
  fc.constantFrom([], ['a'], ['story'], [1], {}, [{ id: 'a', blockedBy: [] }], [{ id: 'A' }]),
);
const fieldsOf = (shape: object) =>
  fc.record(Object.fromEntries([...Object.keys(shape), 'own'].map((key) => [key, value])), {
    requiredKeys: [],
  });
const good = {
  id: 'a',
  subject: 'A',
  title: 'A',
  description: '',
  status: 'pending',
  blockedBy: [],
  children: [],
};

test.each([
  ['task', Task, isPlainTask],
  ['story', Story, isPlainStory],
] as const)('what is plainly a %s is one by its schema, and the same', (_, schema, isPlain) => {
  let plain = 0;
  const known = Object.entries(good).filter(([name]) => name in schema.shape);
  const fields = fieldsOf(schema.shape);
  const names = fc.subarray([...Object.keys(schema.shape), 'own'], { maxLength: 3 });
  fc.assert(
    fc.property(names, fields, (changed, values) => {
      const changes = changed.map((name) => [name, values[name]]);
      const input = JSON.parse(JSON.stringify(Object.fromEntries([...known, ...changes])));
      if (!isPlain(input)) return;
      plain++;
      expect(schema.parse(input)).toEqual(input);
    }),
    { numRuns: 5000 },
  );
  expect(plain).toBeGreaterThan(500);
});
