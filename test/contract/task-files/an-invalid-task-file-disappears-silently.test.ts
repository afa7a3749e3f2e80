import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { callTools, get, list, update } from '../support/tasks-call-tools.ts';

const BROKEN_TEXTS = {
  empty: '',
  malformed: '{ "id": "malformed", }',
  partial: '{\n  "id": "partial",\n  "subject": "Do par',
  'no-object': '[]',
};

const WRONG_FIELDS = {
  'status-blocked': { status: 'blocked' },
  'status-deleted': { status: 'deleted' },
  'status-done': { status: 'done' },
  'numeric-id': { id: 7 },
  'numeric-subject': { subject: 7 },
  'numeric-dependency': { blockedBy: [1] },
  'null-blocks': { blocks: null },
  'null-owner': { owner: null },
  'null-active-form': { activeForm: null },
  'null-metadata': { metadata: null },
  'text-metadata': { metadata: 'text' },
};

contract(
  'an invalid task file is missing from TaskList, not found by its id, and left as it is',
  {},
  async (stage) => {
    stage.writeTask('good', { status: 'completed' });
    for (const [id, text] of Object.entries(BROKEN_TEXTS)) {
      writeFileSync(join(stage.tasks, `${id}.json`), text);
    }
    for (const [id, fields] of Object.entries(WRONG_FIELDS)) stage.writeTask(id, fields);
    const before = readList(stage);
    const bad = [...Object.keys(BROKEN_TEXTS), ...Object.keys(WRONG_FIELDS)];
    const { shown, code, stderr } = await callTools(stage, [
      list,
      ...bad.map(get),
      ...bad.map((id) => update(id, { status: 'in_progress' })),
    ]);
    expect(shown[0]).toBe('#good [completed] Do good');
    expect(shown.slice(1)).toEqual([...bad, ...bad].map(() => 'Task not found'));
    expect(readList(stage)).toEqual(before);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  },
);

function readList({ tasks }: Stage): Record<string, string> {
  const names = readdirSync(tasks);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(tasks, name), 'utf8')]));
}
