import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createHookLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { calls, DONE } from '../support/hooks-write.ts';

const NOTEBOOK = {
  cells: [
    { cell_type: 'code', id: 'c1', source: 'a', metadata: {}, outputs: [], execution_count: null },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
};

contract('NotebookEdit names its file notebook_path, not file_path', {}, async (stage) => {
  const notebook_path = stage.write('notes.ipynb', JSON.stringify(NOTEBOOK));
  const log = createHookLog(stage);
  await stage.run({
    turns: [
      calls('Read', { file_path: notebook_path }),
      calls('NotebookEdit', { notebook_path, cell_id: 'c1', new_source: 'b' }),
      DONE,
    ],
    settings: hooksOn('PreToolUse', log.hook, 'NotebookEdit'),
  });
  expect(log.payloads().map((payload) => payload.tool_input)).toEqual([
    { notebook_path, cell_id: 'c1', new_source: 'b' },
  ]);
});
