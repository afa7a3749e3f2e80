import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, get, list, update } from '../support/tasks-call-tools.ts';
import { holdLock } from '../support/tasks-locks.ts';

contract('TaskList, TaskGet and the deletion of a task heed no lock', {}, async (stage) => {
  stage.writeTask('a');
  using _task = holdLock(stage, 'a.json');
  using _list = holdLock(stage, '.lock');
  const { shown } = await callTools(stage, [list, get('a'), update('a', { status: 'deleted' })]);
  expect(shown).toEqual([
    '#a [pending] Do a',
    'Task #a: Do a\nStatus: pending\nDescription: All of a.',
    'Updated task #a deleted',
  ]);
  expect(stage.taskFiles()).toEqual(['.lock.lock', 'a.json.lock']);
});
