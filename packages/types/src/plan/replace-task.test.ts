import { expect, test } from 'vitest';
import { type Part, replaceTask } from './replace-task.ts';
import type { Task } from './task.ts';

const CEILING = { files: 5, lines: 200 };

const task = (id: string, blockedBy: string[] = [], more: Partial<Task> = {}): Task => ({
  id,
  subject: `Do ${id}`,
  description: '',
  status: 'pending',
  blockedBy,
  ...more,
});

const part = (id: string, blockedBy: string[] = [], more: Partial<Part> = {}): Part => ({
  id,
  subject: `Build ${id}`,
  description: `All of ${id}.`,
  doneWhen: `${id} works.`,
  blockedBy,
  files: 2,
  lines: 80,
  ...more,
});

const story = [
  task('model', [], { status: 'completed', attempts: 1 }),
  task('big', ['model'], { attempts: 2, lastOutcome: 'failed', writeFiles: ['src/**'] }),
  task('docs', ['model', 'big']),
  task('other', [], { status: 'in_progress' }),
];

const split = (...tasks: unknown[]) => replaceTask(story, 'big', { tasks }, CEILING);

test('the first parts wait for what the task waited for, and what waited for it for the last', () => {
  const replaced = split(part('read'), part('write'), part('join', ['read', 'write']));
  if ('fault' in replaced) throw new Error(replaced.fault);
  expect(replaced.tasks.map(({ id, blockedBy }) => [id, blockedBy])).toEqual([
    ['model', []],
    ['read', ['model']],
    ['write', ['model']],
    ['join', ['read', 'write']],
    ['docs', ['model', 'join']],
    ['other', []],
  ]);
  const [model, read, , , , other] = replaced.tasks;
  expect([model, other]).toEqual([story[0], story[3]]);
  expect(read).toMatchObject({ status: 'pending', splitFrom: 'big', writeFiles: ['src/**'] });
  expect(read).not.toHaveProperty('attempts');
});

test('a task that waited for it waits for all last parts', () => {
  const replaced = split(part('a'), part('b'), part('c', ['a']));
  expect('tasks' in replaced && replaced.tasks.find((it) => it.id === 'docs')?.blockedBy).toEqual([
    'model',
    'b',
    'c',
  ]);
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'form'],
  ['a text', 'Split it yourself.', 'form'],
  ['no tasks', { tasks: [] }, 'does not split'],
  ['one task', { tasks: [part('a')] }, 'does not split'],
  [
    'far too many',
    { tasks: Array.from({ length: 13 }, (_, at) => part(`a${at}`)) },
    'more than 12',
  ],
  ['a circle', { tasks: [part('a', ['b']), part('b', ['a'])] }, 'wait for each other'],
  ['a task that waits for itself', { tasks: [part('a', ['a']), part('b')] }, 'wait for each other'],
  ['an unknown id', { tasks: [part('a', ['x']), part('b')] }, 'waits for x'],
  ['a task outside the answer', { tasks: [part('a', ['model']), part('b')] }, 'waits for model'],
  ['an id twice', { tasks: [part('a'), part('a')] }, 'twice'],
  ['an id of the story', { tasks: [part('docs'), part('b')] }, 'already'],
  ['the id of the task', { tasks: [part('big'), part('b')] }, 'already'],
  ['an id that is a path', { tasks: [part('../a'), part('b')] }, 'not an id'],
  [
    'the same task',
    { tasks: [part('a', [], { subject: 'Do  BIG.' }), part('b')] },
    'the same task',
  ],
  ['too many files', { tasks: [part('a', [], { files: 6 }), part('b')] }, '6 files'],
  ['too many lines', { tasks: [part('a', [], { lines: 201 }), part('b')] }, '201 lines'],
  ['an empty subject', { tasks: [part('a', [], { subject: '' }), part('b')] }, 'form'],
])('%s changes nothing', (_, answer, why) => {
  expect(replaceTask(story, 'big', answer, CEILING)).toEqual({
    fault: expect.stringContaining(why),
  });
});
