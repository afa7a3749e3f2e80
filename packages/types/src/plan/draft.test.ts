import { expect, test } from 'vitest';
import { toJsonSchema } from '../json-schema.ts';
import { describeIssues } from '../words/describe-issue.ts';
import { EpicDraft, StoryDraft } from './draft.ts';

const story = (tasks: unknown) => ({ id: 'cart', title: 'Cart', description: 'Text.', tasks });

test('a task may be its subject alone, and waits for the one before it', () => {
  const { tasks } = StoryDraft.parse(
    story([
      'Write the test',
      { id: 'make-it-pass', subject: 'Pass', description: 'Text.' },
      'Make it pass',
      'Write the test',
      'カート',
    ]),
  );
  expect(tasks.map(({ id, subject, blockedBy }) => [id, subject, blockedBy])).toEqual([
    ['write-the-test', 'Write the test', []],
    ['make-it-pass', 'Pass', []],
    ['make-it-pass-2', 'Make it pass', ['make-it-pass']],
    ['write-the-test-2', 'Write the test', ['make-it-pass-2']],
    ['task', 'カート', ['write-the-test-2']],
  ]);
  expect(tasks[0]).toMatchObject({ description: 'Write the test', status: 'pending' });
  const epic = { ...story(undefined), id: 'shop', stories: [story(['Write it'])] };
  expect(EpicDraft.parse(epic).stories[0]?.tasks).toMatchObject([{ id: 'write-it' }]);
});

test('what is wrong with a task is said of the task', () => {
  const find = (tasks: unknown) => {
    const input = story(tasks);
    const { error } = StoryDraft.safeParse(input);
    return error ? describeIssues(error, input).map((it) => `${it.field} ${it.message}`) : [];
  };
  expect(find(['a', { id: 'b', description: 7 }])).toEqual([
    'tasks[1].subject is missing',
    'tasks[1].description must be a string (found 7)',
  ]);
  expect(find(['', 7])).toEqual([
    'tasks[0] must not be empty (found "")',
    'tasks[1] must be a string or an object (found 7)',
  ]);
});

test('the schema says so', () => {
  const { properties } = toJsonSchema('story-draft') as {
    properties: { tasks: { items: { anyOf: { type: string }[] } } };
  };
  expect(properties.tasks.items.anyOf.map(({ type }) => type)).toEqual(['string', 'object']);
});
