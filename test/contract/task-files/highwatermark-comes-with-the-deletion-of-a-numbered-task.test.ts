import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { callTools, create, update } from '../support/tasks-call-tools.ts';

contract('deleting a task named by a word writes no .highwatermark', {}, async (stage) => {
  stage.writeTask('word');
  await callTools(stage, [create('N'), update('word', { status: 'deleted' })]);
  expect(stage.taskFiles()).toEqual(['.lock', '1.json']);
});

contract(
  'deleting a task whose id starts with a number writes it to .highwatermark, and it is not reused',
  {},
  async (stage) => {
    stage.writeTask('2fa-setup');
    await callTools(stage, [update('2fa-setup', { status: 'deleted' })]);
    expect(readMark(stage)).toBe('2');
    const { shown } = await callTools(stage, [
      create('N'),
      update('3', { status: 'deleted' }),
      create('M'),
    ]);
    expect(shown[2]).toBe('Task #4 created successfully: M');
    expect(readMark(stage)).toBe('3');
  },
);

function readMark({ tasks }: Stage): string | undefined {
  const path = join(tasks, '.highwatermark');
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
