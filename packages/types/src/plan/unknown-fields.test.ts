import { expect, test } from 'vitest';
import { findUnknownFields, type PlanKind } from './unknown-fields.ts';

test.each<[PlanKind, string, string]>([
  ['task', 'dependsOn', 'Did you mean blockedBy? A field of your own begins with x-.'],
  ['task', 'depends_on', 'Did you mean blockedBy? A field of your own begins with x-.'],
  ['task', 'blocked-by', 'Did you mean blockedBy? A field of your own begins with x-.'],
  ['child', 'dependsOn', 'Did you mean blockedBy? A field of your own begins with x-.'],
  ['story draft', 'dependsOn', 'Did you mean blockedBy? A field of your own begins with x-.'],
  [
    'story',
    'dependsOn',
    'What a story waits for is "blockedBy" of the story among the "children" of its epic.',
  ],
  ['story', 'acceptance', 'Did you mean doneWhen? A field of your own begins with x-.'],
  ['task', 'title', 'Did you mean subject? A field of your own begins with x-.'],
  ['story', 'gidance', 'Did you mean guidance? A field of your own begins with x-.'],
  ['story', 'status', 'The status of a story follows from its tasks: remove the field.'],
  ['epic draft', 'status', 'The status of an epic follows from its stories: remove the field.'],
  ['epic', 'jira', 'Remove it. If it is a field of your own, begin its name with x-.'],
])('of %s, %s', (kind, field, advice) => {
  expect(findUnknownFields({ [field]: 1 }, kind)).toMatchObject([{ field, advice }]);
});

test('known fields, fields of the user and those of editors are not named', () => {
  const own = { $schema: './x.json', $comment: 'x', 'x-jira': 1 };
  expect(findUnknownFields({ ...own, id: 'x', verify: 'true' }, 'story')).toEqual([]);
  expect(findUnknownFields({ ...own, status: 'pending', metadata: {} }, 'task')).toEqual([]);
});
