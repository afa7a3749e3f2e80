import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, create, update } from '../support/tasks-call-tools.ts';

contract(
  'the client writes task files as JSON with two spaces and no last newline, without empty keys',
  {},
  async (stage) => {
    stage.writeTask('a', { blocks: ['b'], metadata: { points: 3 } });
    const metadata = { deep: { list: [1] } };
    await callTools(stage, [
      create('N', { activeForm: 'Doing N', metadata }),
      create('Short'),
      update('a', { owner: 'saga', subject: 'New' }),
    ]);
    const whole = { status: 'pending', blocks: [], blockedBy: [] };
    const short = { id: '2', subject: 'Short', description: 'All of Short.', ...whole };
    const n = { id: '1', subject: 'N', description: 'All of N.', activeForm: 'Doing N', metadata };
    expect(stage.readTask('1')).toEqual({ ...n, ...whole });
    expect(stage.readTask('2')).toEqual(short);
    expect(stage.readTask('a')).toMatchObject({ owner: 'saga', subject: 'New', blocks: ['b'] });
    for (const id of ['1', '2', 'a']) {
      const text = readFileSync(join(stage.tasks, `${id}.json`), 'utf8');
      expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }
  },
);
