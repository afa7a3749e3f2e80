import { describe, expect, test } from 'vitest';
import { classifyPlanFile, isTaskIntact, type Ownership } from './definitions.ts';

describe('whose file it is', () => {
  test.each<[string, Ownership]>([
    ['src/a.ts', 'free'],
    ['saga/x.json', 'free'],
    ['src/.saga/x.json', 'free'],
    ['.saga/stories/cart/journal.md', 'free'],
    ['.saga/stories/cart/notes/a.md', 'free'],
    ['.saga/stories/cart/one.json', 'task'],
    ['.saga/stories/cart/One.JSON', 'task'],
    ['.saga/stories/cart/story.json', 'definition'],
    ['.saga/stories/cart/STORY.json', 'definition'],
    ['.saga/stories/cart/evidence.json', 'definition'],
    ['.saga/stories/cart/sub/one.json', 'definition'],
    ['.saga/stories/cart/.gitignore', 'definition'],
    ['.saga/stories/cart/notes/.gitattributes', 'definition'],
    ['.saga/stories/cart', 'definition'],
    ['.saga/stories/cart-2/journal.md', 'definition'],
    ['.saga/stories/other/one.json', 'definition'],
    ['.saga/epics/shop.json', 'definition'],
    ['.saga/archive/stories/cart/journal.md', 'definition'],
    ['.saga/config.json', 'definition'],
    ['.saga/.gitignore', 'definition'],
    ['.saga', 'definition'],
    ['.SAGA/stories/cart/journal.md', 'definition'],
    ['.\u017faga/config.json', 'definition'],
    ['.saga/Stories/cart/journal.md', 'definition'],
  ])('%s is %s', (path, expected) => {
    expect(classifyPlanFile(path, 'cart')).toBe(expected);
  });
});

describe('whether a task still says the same', () => {
  const task = { id: 'one', subject: 'Do it', status: 'pending', blockedBy: [] };
  const write = (fields: object) => JSON.stringify({ ...task, ...fields }, null, 2);
  const before = write({});

  test.each([
    ['as it was', before],
    ['on one line', JSON.stringify(task)],
    [
      'with its keys turned round',
      JSON.stringify(Object.fromEntries(Object.entries(task).reverse())),
    ],
    ['with another status', write({ status: 'completed' })],
    ['with attempts', write({ attempts: 2, lastOutcome: 'failed', escalated: true })],
  ])('%s it does', (_, after) => {
    expect(isTaskIntact(before, after)).toBe(true);
  });

  test.each([
    ['gone', undefined],
    ['empty', ''],
    ['cut short', before.slice(0, -3)],
    ['no object', 'null'],
    ['a list', '[]'],
    ['with another subject', write({ subject: 'Do less' })],
    ['with another id', write({ id: 'two' })],
    ['with one more field', write({ description: 'Skip the tests.' })],
    ['with one field less', JSON.stringify({ id: 'one', status: 'pending', blockedBy: [] })],
    ['waiting for another', write({ blockedBy: ['two'] })],
  ])('%s it does not', (_, after) => {
    expect(isTaskIntact(before, after)).toBe(false);
  });
});
