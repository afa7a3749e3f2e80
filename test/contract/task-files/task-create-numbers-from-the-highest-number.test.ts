import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, create } from '../support/tasks-call-tools.ts';

contract(
  'TaskCreate counts from 1 beside ids that start with a letter, and needs no .highwatermark',
  {},
  async (stage) => {
    stage.writeTask('write-tests');
    stage.writeTask('step-7');
    const { shown } = await callTools(stage, [create('N'), create('M')]);
    expect(shown).toEqual(['Task #1 created successfully: N', 'Task #2 created successfully: M']);
    expect(stage.taskFiles()).toEqual([
      '.lock',
      '1.json',
      '2.json',
      'step-7.json',
      'write-tests.json',
    ]);
  },
);

contract('an id that starts with a digit shifts the numbers of TaskCreate', {}, async (stage) => {
  stage.writeTask('2fa-setup');
  const { shown } = await callTools(stage, [create('N')]);
  expect(shown).toEqual(['Task #3 created successfully: N']);
});

contract('TaskCreate goes on after the number in .highwatermark', {}, async (stage) => {
  stage.writeTask('5');
  writeFileSync(join(stage.tasks, '.highwatermark'), '7');
  const { shown } = await callTools(stage, [create('N')]);
  expect(shown).toEqual(['Task #8 created successfully: N']);
});
