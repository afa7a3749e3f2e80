import { SagaError } from '@saga-ai/core/errors';
import { expect, test } from 'vitest';
import type { CommandSpec } from './command.ts';
import { parseArguments } from './parse-arguments.ts';

const COMMAND: CommandSpec = {
  args: [
    { name: 'story', help: 'a story', required: true },
    { name: 'task', help: 'one of its tasks' },
  ],
  options: {
    follow: { type: 'boolean', short: 'f', help: '' },
    title: { type: 'text', help: '' },
    'max-usd': { type: 'text', help: '' },
    'max-tokens': { type: 'text', help: '' },
    task: { type: 'texts', help: '' },
    format: { type: 'text', choices: ['text', 'dot'], help: '' },
    'budget-usd': { type: 'text', help: '' },
  },
};
const MANY: CommandSpec = {
  args: [{ name: 'words', help: 'what to find', required: true, rest: true }],
};

test.each<[string[], { args: string[]; values: object }]>([
  [['cart'], { args: ['cart'], values: {} }],
  [['cart', 'one'], { args: ['cart', 'one'], values: {} }],
  [['-f', 'cart'], { args: ['cart'], values: { follow: true } }],
  [['cart', '--title', 'A b'], { args: ['cart'], values: { title: 'A b' } }],
  [['cart', '--title=A b'], { args: ['cart'], values: { title: 'A b' } }],
  [['cart', '--title=-x'], { args: ['cart'], values: { title: '-x' } }],
  [['cart', '--task', 'a', '--task', 'b'], { args: ['cart'], values: { task: ['a', 'b'] } }],
  [['cart', '--format', 'dot'], { args: ['cart'], values: { format: 'dot' } }],
  [['cart', '--', '--title'], { args: ['cart', '--title'], values: {} }],
  [
    ['cart', '--json', '--project', '/x'],
    { args: ['cart'], values: { json: true, project: '/x' } },
  ],
  [['--help'], { args: [], values: { help: true } }],
])('%j', (argv, expected) => {
  const { args, values } = parseArguments('logs', COMMAND, argv);
  expect({ args, values: { ...values } }).toEqual(expected);
});

test('the last argument may take all that follows', () => {
  expect(parseArguments('search', MANY, ['a', 'b', 'c']).args).toEqual(['a', 'b', 'c']);
});

test.each<[string[], string, string?]>([
  [[], 'saga logs needs <story>: a story.'],
  [['a', 'b', 'c'], 'saga logs does not take "c".'],
  [['a', '--titel', 'x'], 'saga logs has no option --titel.', 'Did you mean --title?'],
  [['a', '--budget', '5'], 'saga logs has no option --budget.', 'Did you mean --budget-usd?'],
  [['a', '-x'], 'saga logs has no option -x.'],
  [
    ['a', '--usd', '5'],
    'saga logs has no option --usd.',
    'Did you mean --max-usd or --budget-usd?',
  ],
  [['a', '--max', '5'], 'saga logs has no option --max.', '--max-usd or --max-tokens?'],
  [['a', '--title'], '--title needs a value.', '--title TEXT'],
  [['a', '--title', '--follow'], '--title needs a value.', '--title=--follow'],
  [['a', '--title', '-5'], '--title needs a value.', '--title=-5'],
  [['a', '--follow=yes'], '--follow takes no value.'],
  [['a', '--no-follow'], 'saga logs has no option --no-follow.'],
  [['a', '--format', 'svg'], '--format must be one of text, dot (found "svg").'],
])('%j is refused in our words', (argv, message, hint = 'saga logs --help shows the usage.') => {
  const error = catchError(() => parseArguments('logs', COMMAND, argv));
  expect(error.code).toBe('usage');
  expect(error.message).toBe(message);
  expect(error.hint).toContain(hint);
});

function catchError(act: () => unknown): SagaError {
  try {
    act();
  } catch (error) {
    if (error instanceof SagaError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
