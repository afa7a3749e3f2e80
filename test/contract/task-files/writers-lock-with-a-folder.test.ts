import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { create, update } from '../support/tasks-call-tools.ts';
import { holdLock, watchCall } from '../support/tasks-locks.ts';

contract(
  'TaskUpdate takes the folder <id>.json.lock and gives it back',
  { since: '2.1.88' },
  async (stage) => {
    stage.writeTask('a');
    stage.writeTask('b');
    const { shown, touched } = await watchCall(stage, update('a', { status: 'in_progress' }));
    expect(shown).toEqual(['Updated task #a status']);
    expect(touched).toEqual(['a.json', 'a.json.lock']);
    expect(stage.taskFiles()).toEqual(['a.json', 'b.json']);
  },
);

contract('TaskUpdate takes no lock and heeds none', { until: '2.1.88' }, async (stage) => {
  stage.writeTask('a');
  using _ = holdLock(stage, 'a.json');
  const { shown, touched } = await watchCall(stage, update('a', { status: 'in_progress' }));
  expect(shown).toEqual(['Updated task #a status']);
  expect(touched).toContain('a.json');
  expect(stage.readTask('a').status).toBe('in_progress');
});

contract(
  'TaskCreate takes the folder .lock.lock, beside an empty file .lock that stays',
  {},
  async (stage) => {
    stage.writeTask('a');
    const { shown, touched } = await watchCall(stage, create('N'));
    expect(shown).toEqual(['Task #1 created successfully: N']);
    expect(touched).toEqual(['.lock', '.lock.lock', '1.json']);
    expect(stage.taskFiles()).toEqual(['.lock', '1.json', 'a.json']);
  },
);
