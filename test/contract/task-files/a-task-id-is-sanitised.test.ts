import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, get, list, update } from '../support/tasks-call-tools.ts';

contract(
  'a task file whose name has other characters than letters, digits, _ and - is never found',
  {},
  async (stage) => {
    stage.writeTask('dotted.id');
    stage.writeTask('Safe_id-1');
    const { shown } = await callTools(stage, [list, get('dotted.id')]);
    expect(shown).toEqual(['#Safe_id-1 [pending] Do Safe_id-1', 'Task not found']);
  },
);

contract('a task id is sanitised before its file is looked for', {}, async (stage) => {
  stage.writeTask('dotted-id');
  const { shown } = await callTools(stage, [get('dotted.id')]);
  expect(shown[0]).toContain('Task #dotted-id: Do dotted-id');
});

contract('a task id cannot lead out of the list', {}, async (stage) => {
  stage.writeTask('a');
  const other = join(stage.tasks, '..', 'other-list');
  mkdirSync(other);
  copyFileSync(join(stage.tasks, 'a.json'), join(other, 'a.json'));
  const before = readFileSync(join(other, 'a.json'), 'utf8');
  const { shown } = await callTools(stage, [
    get('../other-list/a'),
    update('../other-list/a', { status: 'completed' }),
    update('../other-list/a', { status: 'deleted' }),
  ]);
  expect(shown).toEqual(['Task not found', 'Task not found', 'Task not found']);
  expect(readFileSync(join(other, 'a.json'), 'utf8')).toBe(before);
  expect(stage.taskFiles()).toEqual(['a.json']);
});
