import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { nameOf } from '../support/hooks-log.ts';
import { startHookServer } from '../support/hooks-server.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { bash, calls, DONE } from '../support/hooks-write.ts';

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse'].concat([
  'PostToolUseFailure',
  'TaskCompleted',
  'Stop',
  'SessionEnd',
]);

contract('http hooks receive every event but SessionStart', { since: '2.1.63' }, async (stage) => {
  stage.writeTask('a');
  await using server = await startHookServer();
  const hook = { type: 'http', url: server.url };
  const hooks = Object.assign({}, ...EVENTS.map((event) => hooksOn(event, hook).hooks));
  const { init } = await stage.run({
    turns: [calls('TaskUpdate', { taskId: 'a', status: 'completed' }), bash('exit 3'), DONE],
    settings: { hooks },
  });
  const payloads = server.requests.map((request) => request.payload);
  expect(payloads.map(nameOf)).toEqual([
    'UserPromptSubmit',
    'PreToolUse:TaskUpdate',
    'TaskCompleted',
    'PostToolUse:TaskUpdate',
    'PreToolUse:Bash',
    'PostToolUseFailure:Bash',
    'Stop',
    'SessionEnd',
  ]);
  expect(new Set(payloads.map((it) => it.session_id))).toEqual(new Set([init?.session_id]));
  expect(payloads[0]).toMatchObject({ prompt: 'Go.', cwd: stage.repo });
  expect(payloads[2]).toMatchObject({
    task_id: 'a',
    task_subject: 'Do a',
    task_description: 'All of a.',
  });
});
