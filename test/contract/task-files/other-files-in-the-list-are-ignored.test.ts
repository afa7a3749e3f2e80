import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, create, list, sorted } from '../support/tasks-call-tools.ts';

contract(
  'dot-files, folders and other files in a list are ignored and left alone',
  {},
  async (stage) => {
    stage.writeTask('a');
    stage.writeTask('.hidden');
    mkdirSync(join(stage.tasks, 'folder.json'));
    mkdirSync(join(stage.tasks, 'folder'));
    const task = readFileSync(join(stage.tasks, 'a.json'));
    for (const name of ['story.md', 'b.json.bak', 'c.JSON', 'd.json.tmp', 'e']) {
      writeFileSync(join(stage.tasks, name), task);
    }
    const before = stage.taskFiles();
    const { shown } = await callTools(stage, [list, create('N'), list]);
    expect(shown[0]).toBe('#a [pending] Do a');
    expect(sorted(shown[2])).toEqual(['#1 [pending] N', '#a [pending] Do a']);
    expect(stage.taskFiles()).toEqual([...before, '.lock', '1.json'].toSorted());
  },
);
