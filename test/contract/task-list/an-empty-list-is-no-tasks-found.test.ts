import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, list } from '../support/tasks-call-tools.ts';

contract('TaskList says `No tasks found` for a list without tasks or folder', {}, async (stage) => {
  const empty = await callTools(stage, [list]);
  expect(empty.shown).toEqual(['No tasks found']);
  rmSync(stage.tasks, { recursive: true });
  const missing = await callTools(stage, [list]);
  expect(missing.shown).toEqual(['No tasks found']);
  expect(missing.results).toEqual([{ tasks: [] }]);
});
