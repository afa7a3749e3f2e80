import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { startHookServer } from '../support/hooks-server.ts';
import { command, hooksOn, says } from '../support/hooks-settings.ts';
import { calls, DONE, seenCalls } from '../support/hooks-write.ts';

const complete = (taskId: string) => calls('TaskUpdate', { taskId, status: 'completed' });

contract(
  'TaskCompleted runs before the file is written; exit 2 leaves the task as it was',
  { since: '2.1.33' },
  async (stage) => {
    for (const id of ['a', 'b']) stage.writeTask(id);
    const early = join(stage.home, 'a-at-the-hook.json');
    const line = `cat | grep -q '"task_id":"a"' && cp ${join(stage.tasks, 'a.json')} ${early}`;
    const refuse = command(`${line} || { echo tests are red >&2; exit 2; }`);
    const settings = hooksOn('TaskCompleted', refuse);
    const run = await stage.run({ turns: [complete('a'), complete('b'), DONE], settings });
    expect(JSON.parse(readFileSync(early, 'utf8')).status).toBe('pending');
    expect(stage.readTask('a').status).toBe('completed');
    expect(stage.readTask('b').status).toBe('pending');
    expect(seenCalls(run)[1]?.result).toEqual({
      text: expect.stringMatching(/^TaskCompleted hook feedback:\n.*tests are red\n$/s),
      isError: false,
    });
  },
);

contract(
  'an http hook refuses a completion by decision "block", and lets it through by status 500',
  { since: '2.1.63' },
  async (stage) => {
    for (const id of ['a', 'b']) stage.writeTask(id);
    await using server = await startHookServer(({ task_id }) =>
      task_id === 'a'
        ? { body: { decision: 'block', reason: 'The gate is shut.' } }
        : { status: 500 },
    );
    const settings = hooksOn('TaskCompleted', {
      type: 'http',
      url: server.url,
      onFailure: 'block',
    });
    const run = await stage.run({ turns: [complete('a'), complete('b'), DONE], settings });
    expect([stage.readTask('a').status, stage.readTask('b').status]).toEqual([
      'pending',
      'completed',
    ]);
    expect(seenCalls(run)[0]?.result?.text).toBe('TaskCompleted hook feedback:\nThe gate is shut.');
  },
);

contract(
  'continue:false from TaskCompleted does not refuse it',
  { since: '2.1.100' },
  async (stage) => {
    stage.writeTask('a');
    const settings = hooksOn('TaskCompleted', says({ continue: false, stopReason: 'No.' }));
    await stage.run({ turns: [complete('a'), DONE], settings });
    expect(stage.readTask('a').status).toBe('completed');
  },
);
